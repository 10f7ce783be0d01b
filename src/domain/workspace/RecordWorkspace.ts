// What is stored of a decision of a workspace: its row, what customers are told of it, and the lines of the audit log.
import { auditRow } from "../access/Origin.ts"
import { policyOf } from "../calls/CallingPolicy.ts"
import type { AuditRow, Column, EventRow, Stored } from "../journal/Rows.ts"
import { publishedEvent } from "../webhooks/PublishedEvent.ts"
import type { Membership } from "./Members.ts"
import { evolveWorkspace, type Kept, type WorkspaceEvent, type WorkspaceState } from "./Workspace.ts"

/** One event, and the workspace on both sides of it. */
interface Step {
  readonly id: string
  readonly before: Kept
  readonly after: Kept
  readonly event: WorkspaceEvent
}

const statusChange = ({ after, before }: Step) => ({
  before: { status: before.status },
  after: { status: after.status }
})

type AuditedMember = Extract<
  WorkspaceEvent,
  { readonly _tag: "MemberChanged" | "MemberRemoved" | "Invited" | "InvitationRevoked" | "InvitationAccepted" }
>

const shownOf = (member: Pick<Membership, "email" | "role" | "read_only"> | undefined) =>
  member && { email: member.email, role: member.role, read_only: member.read_only }

const auditMember = ({ after, before, id: workspace_id }: Step, event: AuditedMember): AuditRow => {
  const { at, origin } = event
  if (event._tag === "MemberChanged" || event._tag === "MemberRemoved") {
    const { user_id } = event
    const action_kind =
      event._tag === "MemberChanged" ? "member.role_changed" : event.left ? "member.left" : "member.removed"
    const sides = { before: shownOf(before.members[user_id]), after: shownOf(after.members[user_id]) }
    return auditRow(origin, { workspace_id, action_kind, target: { type: "member", id: user_id }, ...sides, at })
  }
  const kinds = {
    Invited: "invitation.created",
    InvitationRevoked: "invitation.revoked",
    InvitationAccepted: "invitation.accepted"
  } as const
  const target = { type: "invitation", id: event.id }
  return auditRow(origin, {
    workspace_id,
    action_kind: kinds[event._tag],
    target,
    after: shownOf(after.invitations[event.id]),
    at
  })
}

const auditOf = (step: Step): ReadonlyArray<AuditRow> => {
  const { after, before, event, id } = step
  const of = { workspace_id: id, target: { type: "workspace", id } }
  switch (event._tag) {
    case "PolicyChanged": {
      const values = { before: policyOf(before.calling_policy), after: policyOf(after.calling_policy) }
      return [auditRow(event.origin, { ...of, ...values, action_kind: "calling_policy.changed", at: event.at })]
    }
    case "VoiceSecretRotated": {
      const until = event.previous_expires_at
      const after = { previous_until: until === null ? null : new Date(until).toISOString() }
      return [auditRow(event.origin, { ...of, after, action_kind: "workspace.voice_secret_rotated", at: event.at })]
    }
    case "Suspended": {
      const { before, after } = statusChange(step)
      const row = { ...of, before, after: { ...after, reason: event.reason } }
      return [auditRow(event.origin, { ...row, action_kind: "workspace.suspended", at: event.at })]
    }
    case "Reinstated":
      return [
        auditRow(event.origin, { ...of, ...statusChange(step), action_kind: "workspace.reinstated", at: event.at })
      ]
    case "Closed":
      return [auditRow(event.origin, { ...of, ...statusChange(step), action_kind: "workspace.closed", at: event.at })]
    case "MemberChanged":
    case "MemberRemoved":
    case "Invited":
    case "InvitationRevoked":
    case "InvitationAccepted":
      return [auditMember(step, event)]
    default:
      return []
  }
}

const toldOf = ({ after, event, id }: Step, uuid: () => string): ReadonlyArray<EventRow> => {
  if (event._tag !== "Suspended" && event._tag !== "Reinstated") return []
  const payload = {
    kind: event._tag === "Suspended" ? ("workspace.suspended" as const) : ("workspace.reinstated" as const),
    workspace_id: id,
    status: after.status,
    ...(event._tag === "Suspended" && { reason: event.reason }),
    changed_at: new Date(event.at).toISOString()
  }
  return [publishedEvent(uuid(), { workspace_id: id, subject_id: id, sequence: after.sequence, at: event.at, payload })]
}

const columnsOf = (kept: Kept): Readonly<Record<string, Column>> => ({
  name: kept.name,
  status: kept.status,
  currency: kept.currency,
  tenant_pbx_id: kept.tenant_pbx_id,
  gateway_id: kept.gateway_id,
  voice_secret: kept.voice_secret,
  calling_policy: JSON.stringify(kept.calling_policy),
  number_mode: kept.number_mode,
  retention_days: kept.retention_days,
  member_ids: Object.keys(kept.members),
  created_at: kept.created_at
})

export interface WorkspaceRecorded {
  readonly workspace_id: string
  readonly state: string
  readonly columns: Readonly<Record<string, Column>>
  readonly events: ReadonlyArray<EventRow>
  readonly audit: ReadonlyArray<AuditRow>
}

export const recordWorkspace = (change: {
  readonly before: WorkspaceState
  readonly after: WorkspaceState
  readonly events: ReadonlyArray<WorkspaceEvent>
  readonly uuid: () => string
}): WorkspaceRecorded => {
  const { id } = change.after
  const audit: Array<AuditRow> = []
  const events: Array<EventRow> = []
  let state = change.before
  for (const event of change.events) {
    const next = evolveWorkspace(state, event)
    const step = state.kept && next.kept && { id, before: state.kept, after: next.kept, event }
    if (step !== null) {
      audit.push(...auditOf(step))
      events.push(...toldOf(step, change.uuid))
    }
    state = next
  }
  const kept = change.after.kept!
  return { workspace_id: id, state: JSON.stringify(kept), columns: columnsOf(kept), events, audit }
}

/** What rows that were written before it was kept do not say. */
const unsaid = { invitations: {}, previous_voice_secret: null, wound_up: false } satisfies Partial<Kept>

export const keptOf = (state: string): Kept => ({
  ...unsaid,
  ...(JSON.parse(state) as Omit<Kept, keyof typeof unsaid>)
})

export const restoreWorkspace = ({ state }: Stored, id: string): WorkspaceState => ({ id, kept: keptOf(state) })
