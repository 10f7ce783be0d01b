// The caller ids of a workspace. PerformCallerIds.ts places the calls that speak codes.
import { CallerIdsCommands } from "../../domain/callerids/CallerIdCommand.ts"
import type { CallerIdRecord } from "../../domain/callerids/CallerIdRecord.ts"
import {
  type CallerIds,
  type CallerIdsEvent,
  evolveCallerIds,
  initialCallerIds
} from "../../domain/callerids/CallerIds.ts"
import { decideCallerIds } from "../../domain/callerids/DecideCallerIds.ts"
import { planCallerIds, type SpeakCode } from "../../domain/callerids/PlanCallerIds.ts"
import { callerIdsState, recordCallerIds } from "../../domain/callerids/RecordCallerIds.ts"
import { actor } from "../runtime/Definition.ts"

/** Where a caller id can be read. */
export const callerIdLocation = (id: string): string => `/v1/caller-ids/${id}`

const answer = (status: number, shown: CallerIdRecord) => ({
  status,
  body: JSON.stringify(shown),
  headers: { location: callerIdLocation(shown.id) }
})

/** Its id is the workspace's. */
export const CallerIdsActor = actor<CallerIds, CallerIdsCommands, CallerIdsEvent, SpeakCode>({
  type: "CallerIds",
  commands: CallerIdsCommands,
  initial: initialCallerIds,
  restore: callerIdsState.restore((stored): CallerIds => stored),
  decide: decideCallerIds,
  evolve: evolveCallerIds,
  plan: planCallerIds,
  record: recordCallerIds,
  answers: {
    Request: (shown) => answer(202, shown),
    // A wrong code is refused, and a refusal is stored for no Idempotency-Key.
    Enter: (shown) => {
      if (shown === null) throw new Error("A wrong code came with an Idempotency-Key.")
      return answer(200, shown)
    }
  }
})
