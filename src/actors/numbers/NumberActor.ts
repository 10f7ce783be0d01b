// A number, in inventory and in a workspace's hands. What it decides is in src/domain/numbers; what it has under way, in
// PerformNumber.ts.
import { decideNumber } from "../../domain/numbers/DecideNumber.ts"
import { NumberCommand, NumberReply, NumberSettled } from "../../domain/numbers/NumberCommand.ts"
import { evolveNumber, noNumber, type NumberEvent, type PhoneNumber } from "../../domain/numbers/PhoneNumber.ts"
import { type NumberWork, planNumber } from "../../domain/numbers/PlanNumber.ts"
import { recordNumber, restoreNumber } from "../../domain/numbers/RecordNumber.ts"
import { numberView } from "../../domain/numbers/NumberView.ts"
import type { Change } from "../../domain/Decision.ts"
import type { Answer, Definition } from "../runtime/Definition.ts"

/** Where a number can be read. */
export const numberLocation = (id: string): string => `/v1/numbers/${id}`

/** The kept answers of a claim, a registration and a release. */
const answer = (command: NumberCommand, reply: NumberReply): Answer => {
  if (reply._tag !== "Shown") return { status: 200, body: "{}", headers: {} }
  const created = command._tag !== "Release"
  return {
    status: created ? 201 : 200,
    body: JSON.stringify(reply.record),
    headers: created ? { location: numberLocation(reply.record.id) } : {}
  }
}

/** Whoever waits for a claim is told how it ended. */
const notices = ({ after, before, events, id }: Change<PhoneNumber, NumberEvent>): ReadonlyArray<NumberSettled> =>
  events.flatMap((event): ReadonlyArray<NumberSettled> => {
    switch (event._tag) {
      case "Claimed":
        return [
          {
            _tag: "ClaimSettled",
            entry_id: before.kept!.claim!.entry_id,
            record: numberView(id, after.kept!),
            failure: null
          }
        ]
      case "ClaimFailed":
        return [{ _tag: "ClaimSettled", entry_id: event.entry_id, record: null, failure: event.failure }]
      default:
        return []
    }
  })

export const NumberActor: Definition<PhoneNumber, NumberCommand, NumberEvent, NumberReply, NumberWork, NumberSettled> =
  {
    type: "Number",
    initial: noNumber,
    restore: restoreNumber,
    decide: decideNumber,
    evolve: evolveNumber,
    plan: planNumber,
    record: recordNumber,
    notices,
    answer,
    wire: { command: NumberCommand, reply: NumberReply, notice: NumberSettled }
  }
