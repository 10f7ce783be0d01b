// Who makes a change, and from where. Commands that write to the audit log carry it.
import { Schema } from "effect"
import type { AuditRow } from "../journal/Rows.ts"
import type { AuditKind } from "../journal/AuditKind.ts"
import type { WorkspaceId } from "../BrandedIds.ts"

/** `label` is for people: an e-mail address or the id of a key, never a secret. */
export const AuditActor = Schema.Struct({
  type: Schema.Literals(["user", "api_key", "system", "ops"]).annotate({
    description: "Whether a person, a key, the system or an operator did it."
  }),
  id: Schema.NullOr(Schema.String).annotate({ description: "The id of the person or key; `null` for the system." }),
  label: Schema.NullOr(Schema.String).annotate({ description: "The name of the person or key." })
}).annotate({ identifier: "AuditActor" })
export type AuditActor = typeof AuditActor.Type

/** Who makes a change (`actor`), and the client and the request that it came with. */
export const Origin = Schema.Struct({
  actor: AuditActor,
  ip: Schema.NullOr(Schema.String),
  user_agent: Schema.NullOr(Schema.String),
  request_id: Schema.NullOr(Schema.String)
})
export type Origin = typeof Origin.Type

/** The client and the id of a request, apart from who makes it. */
export type RequestSource = Omit<Origin, "actor">

/** A change that the engine makes on its own initiative. */
export const systemOrigin: Origin = {
  actor: { type: "system", id: null, label: null },
  ip: null,
  user_agent: null,
  request_id: null
}

export interface Audited {
  /** Null: a change to the platform, not to one workspace. */
  readonly workspace_id: WorkspaceId | null
  readonly action_kind: AuditKind
  readonly target: { readonly type: string; readonly id: string }
  /** The target before and after the change, as readers of the audit log may see it: without secrets. */
  readonly before?: unknown
  readonly after?: unknown
  readonly at: number
}

const textOf = (value: unknown): string | null => (value === undefined || value === null ? null : JSON.stringify(value))

/** The row of the audit log for a change. */
export const auditRow = ({ actor, ip, request_id, user_agent }: Origin, audited: Audited): AuditRow => ({
  workspace_id: audited.workspace_id,
  action_kind: audited.action_kind,
  actor: JSON.stringify(actor),
  target_type: audited.target.type,
  target_id: audited.target.id,
  ip,
  user_agent,
  request_id,
  before: textOf(audited.before),
  after: textOf(audited.after),
  created_at: audited.at
})
