// The caller ids of a workspace. PerformCallerIds.ts places the calls that speak codes.
import { auditRow } from "../../domain/access/Origin.ts"
import { CallerIdsCommands } from "../../domain/callerids/CallerIdCommand.ts"
import type { CallerIdRecord } from "../../domain/callerids/CallerIdRecord.ts"
import { CallerIds, type CallerIdsEvent, evolveCallerIds, initialCallerIds } from "../../domain/callerids/CallerIds.ts"
import { decideCallerIds } from "../../domain/callerids/DecideCallerIds.ts"
import { planCallerIds, type SpeakCode } from "../../domain/callerids/PlanCallerIds.ts"
import type { Change } from "../../domain/Decision.ts"
import type { AuditRow } from "../../domain/journal/Rows.ts"
import { storedState } from "../../domain/state/StoredState.ts"
import { actor, type Recorded } from "../runtime/Definition.ts"

export const callerIdsState = storedState({ schema: CallerIds, upgrades: [] })

const auditKinds = {
  CodeRequested: "caller_id.requested",
  Verified: "caller_id.verified",
  Withdrawn: "caller_id.withdrawn",
  Approved: "caller_id.approved",
  Revoked: "caller_id.revoked"
} as const

const auditOf = ({ after, before, events }: Change<CallerIds, CallerIdsEvent>): ReadonlyArray<AuditRow> =>
  events.flatMap((event) => {
    if (!("origin" in event)) return []
    const { at, id, origin } = event
    const number = [...after.caller_ids, ...before.caller_ids].find((row) => row.id === id)?.number
    return [
      auditRow(origin, {
        workspace_id: after.workspace_id,
        action_kind: auditKinds[event._tag],
        target: { type: "caller_id", id },
        after: { number },
        at
      })
    ]
  })

const record = (change: Change<CallerIds, CallerIdsEvent>): Recorded => ({
  workspace_id: change.after.workspace_id,
  state: callerIdsState.write(change.after),
  columns: {},
  audit: auditOf(change)
})

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
  record,
  answers: {
    Request: (shown) => answer(202, shown),
    // A wrong code is refused, and a refusal is stored for no Idempotency-Key.
    Enter: (shown) => {
      if (shown === null) throw new Error("A wrong code came with an Idempotency-Key.")
      return answer(200, shown)
    }
  }
})
