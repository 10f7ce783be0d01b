// What is stored of a decision about caller ids: the workspace's state, its webhook events and the audit log.
import { auditRow } from "../access/Origin.ts"
import type { Change, Step } from "../Decision.ts"
import { publishedEvent } from "../journal/PublishedEvent.ts"
import type { AuditRow, EventRow } from "../journal/Rows.ts"
import { storedState } from "../state/StoredState.ts"
import { callerIdRecord } from "./CallerIdRecord.ts"
import { CallerIds, type CallerIdsEvent } from "./CallerIds.ts"

type CallerIdsStep = Step<CallerIds, CallerIdsEvent>

export const callerIdsState = storedState({ schema: CallerIds, upgrades: [] })

const eventKinds = {
  Verified: "caller_id.verified",
  Approved: "caller_id.verified",
  Expired: "caller_id.expired",
  Revoked: "caller_id.revoked",
  Withdrawn: "caller_id.withdrawn"
} as const

/** A caller id that was withdrawn is told as it would be without its proof. */
const eventRows = ({ after, before, event }: CallerIdsStep, uuid: () => string): ReadonlyArray<EventRow> => {
  if (!("at" in event) || event._tag === "CodeRequested") return []
  const { at, id } = event
  const former = before.caller_ids.find((row) => row.id === id)
  const row =
    after.caller_ids.find((present) => present.id === id) ?? (former && { ...former, challenge: null, proof: null })
  if (row === undefined) return []
  const { workspace_id } = after
  const payload = { kind: eventKinds[event._tag], workspace_id, ...callerIdRecord(row, at) }
  const sequence = (former?.sequence ?? 0) + 1
  return [publishedEvent(uuid(), { workspace_id, subject_id: id, sequence, at, payload })]
}

const auditKinds = {
  CodeRequested: "caller_id.requested",
  Verified: "caller_id.verified",
  Withdrawn: "caller_id.withdrawn",
  Approved: "caller_id.approved",
  Revoked: "caller_id.revoked"
} as const

const auditRows = ({ after, before, event }: CallerIdsStep): ReadonlyArray<AuditRow> => {
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
}

export const recordCallerIds = ({ after, steps, uuid }: Change<CallerIds, CallerIdsEvent>) => ({
  workspace_id: after.workspace_id,
  state: callerIdsState.write(after),
  columns: {},
  events: steps.flatMap((step) => eventRows(step, uuid)),
  audit: steps.flatMap(auditRows)
})
