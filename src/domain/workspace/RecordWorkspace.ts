// What a decision of a workspace stores: its row, webhook events, and entries of the audit log.
import { Struct } from "effect"
import { auditRow } from "../access/Origin.ts"
import { type Rights, rightsOf } from "../access/Role.ts"
import { policyOf } from "../calls/policy/CallingPolicy.ts"
import { ceilingsOf } from "../calls/policy/PolicyCeilings.ts"
import type { Change } from "../Decision.ts"
import type { AuditRow, Column, EventRow } from "../journal/Rows.ts"
import { publishedEvent } from "../journal/PublishedEvent.ts"
import { instantOrNull, isoInstant } from "../kit/Instants.ts"
import type { Membership } from "./Members.ts"
import { workspaceState } from "./StoredWorkspace.ts"
import {
  isPresent,
  workspaceColumns,
  type WorkspaceEvent,
  type WorkspaceFacts,
  type WorkspaceState
} from "./Workspace.ts"
import type { WorkspaceId } from "../BrandedIds.ts"

/** One event, and the workspace before and after it. */
interface WorkspaceStep {
  readonly id: WorkspaceId
  readonly before: WorkspaceFacts
  readonly after: WorkspaceFacts
  readonly event: WorkspaceEvent
}

const statusChange = ({ after, before }: WorkspaceStep) => ({
  before: { status: before.status },
  after: { status: after.status }
})

type AuditedMember = Extract<
  WorkspaceEvent,
  { readonly _tag: "MemberChanged" | "MemberRemoved" | "Invited" | "InvitationRevoked" | "InvitationAccepted" }
>

const shownOf = (member: (Rights & Pick<Membership, "email">) | undefined) =>
  member && { email: member.email, ...rightsOf(member) }

const auditMember = ({ after, before, id: workspace_id }: WorkspaceStep, event: AuditedMember): AuditRow => {
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

const auditOf = (step: WorkspaceStep): ReadonlyArray<AuditRow> => {
  const { after, before, event, id } = step
  const of = { workspace_id: id, target: { type: "workspace", id } }
  switch (event._tag) {
    case "PolicyChanged": {
      const values = { before: policyOf(before.calling_policy), after: policyOf(after.calling_policy) }
      return [auditRow(event.origin, { ...of, ...values, action_kind: "calling_policy.changed", at: event.at })]
    }
    case "CeilingsChanged": {
      const { at, origin, policy } = event
      const sides = { before: ceilingsOf(before.policy_ceilings ?? {}), after: ceilingsOf(after.policy_ceilings ?? {}) }
      const lowered = { before: policyOf(before.calling_policy), after: policyOf(after.calling_policy) }
      return [
        auditRow(origin, { ...of, ...sides, action_kind: "calling_policy.ceilings_changed", at }),
        ...(Object.keys(policy).length === 0
          ? []
          : [auditRow(origin, { ...of, ...lowered, action_kind: "calling_policy.changed", at })])
      ]
    }
    case "VoiceSecretRotated": {
      const after = { previous_until: instantOrNull(event.previous_expires_at) }
      return [auditRow(event.origin, { ...of, after, action_kind: "workspace.voice_secret_rotated", at: event.at })]
    }
    case "GatewayAssigned": {
      const sides = { before: { gateway_id: before.gateway_id }, after: { gateway_id: after.gateway_id } }
      return [auditRow(event.origin, { ...of, ...sides, action_kind: "workspace.gateway_assigned", at: event.at })]
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

const webhookEventsOf = ({ after, event, id }: WorkspaceStep, uuid: () => string): ReadonlyArray<EventRow> => {
  if (event._tag !== "Suspended" && event._tag !== "Reinstated") return []
  const payload = {
    kind: event._tag === "Suspended" ? ("workspace.suspended" as const) : ("workspace.reinstated" as const),
    workspace_id: id,
    status: after.status,
    ...(event._tag === "Suspended" && { reason: event.reason }),
    changed_at: isoInstant(event.at)
  }
  return [publishedEvent(uuid(), { workspace_id: id, subject_id: id, sequence: after.sequence, at: event.at, payload })]
}

const columnsOf = (facts: WorkspaceFacts): Readonly<Record<string, Column>> => ({
  ...Struct.pick(facts, workspaceColumns),
  calling_policy: JSON.stringify(facts.calling_policy),
  member_ids: Object.keys(facts.members)
})

export interface WorkspaceRecorded {
  readonly workspace_id: WorkspaceId
  readonly state: string
  readonly columns: Readonly<Record<string, Column>>
  readonly events: ReadonlyArray<EventRow>
  readonly audit: ReadonlyArray<AuditRow>
}

export const recordWorkspace = ({
  after,
  steps,
  uuid
}: Pick<Change<WorkspaceState, WorkspaceEvent>, "after" | "steps" | "uuid">): WorkspaceRecorded => {
  if (!isPresent(after)) throw new Error("A workspace is stored only after it was created.")
  const { facts, id } = after
  const changes = steps.flatMap(({ before, event, after }): ReadonlyArray<WorkspaceStep> =>
    isPresent(before) && isPresent(after) ? [{ id, before: before.facts, after: after.facts, event }] : []
  )
  return {
    workspace_id: id,
    state: workspaceState.write(facts),
    columns: columnsOf(facts),
    events: changes.flatMap((step) => webhookEventsOf(step, uuid)),
    audit: changes.flatMap(auditOf)
  }
}
