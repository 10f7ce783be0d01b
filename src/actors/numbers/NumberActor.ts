// A phone number, in inventory and in a workspace. PerformNumber.ts performs its work.
import type { Change } from "../../domain/Decision.ts"
import { decideNumber } from "../../domain/numbers/DecideNumber.ts"
import { evolveNumber } from "../../domain/numbers/EvolveNumber.ts"
import { ClaimSettled, NumberCommands } from "../../domain/numbers/NumberCommand.ts"
import type { NumberRecord } from "../../domain/numbers/NumberRecord.ts"
import { numberView } from "../../domain/numbers/NumberView.ts"
import { absentNumber, type NumberEvent, type PhoneNumber } from "../../domain/numbers/PhoneNumber.ts"
import { type NumberWork, planNumber } from "../../domain/numbers/PlanNumber.ts"
import { recordNumber } from "../../domain/numbers/RecordNumber.ts"
import { restoreNumber } from "../../domain/numbers/StoredNumber.ts"
import { actor, type Answer } from "../runtime/Definition.ts"

/** Where a number can be read. */
export const numberLocation = (id: string): string => `/v1/numbers/${id}`

const created = (record: NumberRecord): Answer => ({
  status: 201,
  body: JSON.stringify(record),
  headers: { location: numberLocation(record.id) }
})

/** Tells the request that waits for a claim how it ended. */
const notices = ({ steps }: Change<PhoneNumber, NumberEvent>): ReadonlyArray<ClaimSettled> =>
  steps.flatMap(({ after, before, event }): ReadonlyArray<ClaimSettled> => {
    if (event._tag === "ClaimFailed")
      return [{ _tag: "ClaimSettled", entry_id: event.entry_id, record: null, failure: event.failure }]
    if (event._tag !== "Claimed" || before._tag === "Absent" || after._tag === "Absent") return []
    const { claim } = before.data
    const record = numberView(after.id, after.data)
    return claim === null ? [] : [{ _tag: "ClaimSettled", entry_id: claim.entry_id, record, failure: null }]
  })

export const NumberActor = actor<PhoneNumber, NumberCommands, NumberEvent, NumberWork, ClaimSettled>({
  type: "Number",
  commands: NumberCommands,
  initial: absentNumber,
  restore: restoreNumber,
  decide: decideNumber,
  evolve: evolveNumber,
  plan: planNumber,
  record: recordNumber,
  notices,
  notice: ClaimSettled,
  answers: {
    ClaimPaid: created,
    Register: created,
    Release: (record) => ({ status: 200, body: JSON.stringify(record), headers: {} })
  }
})
