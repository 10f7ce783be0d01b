// Who asks for a change, and from where: carried by commands whose effects the audit log keeps.
import { Schema } from "effect"
import type { AuditRow } from "../journal/Rows.ts"
import type { AuditKind } from "./AuditKind.ts"

/** `label` is what a reader knows it by: an e-mail address, a key's id; never a secret. */
export const AuditActor = Schema.Struct({
  type: Schema.Literals(["user", "api_key", "system", "ops"]),
  id: Schema.NullOr(Schema.String),
  label: Schema.NullOr(Schema.String)
}).annotate({ identifier: "AuditActor" })
export type AuditActor = typeof AuditActor.Type

export const Origin = Schema.Struct({
  actor: AuditActor,
  ip: Schema.NullOr(Schema.String),
  user_agent: Schema.NullOr(Schema.String),
  request_id: Schema.NullOr(Schema.String)
})
export type Origin = typeof Origin.Type

/** What the engine does of its own accord. */
export const systemOrigin: Origin = {
  actor: { type: "system", id: null, label: null },
  ip: null,
  user_agent: null,
  request_id: null
}

export interface Audited {
  /** Null: it is done to the platform. */
  readonly workspace_id: string | null
  readonly action_kind: AuditKind
  readonly target: { readonly type: string; readonly id: string }
  /** As a reader may see it: without secrets. */
  readonly before?: unknown
  readonly after?: unknown
  readonly at: number
}

const textOf = (value: unknown): string | null => (value === undefined || value === null ? null : JSON.stringify(value))

/** The line that the audit log gets. */
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
