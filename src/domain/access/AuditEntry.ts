import { Schema } from "effect"
import { AuditKind } from "../journal/AuditKind.ts"
import { AuditActor } from "./Origin.ts"

/** An entry of the audit log as the API shows it (docs/audit.md). */
export const AuditEntry = Schema.Struct({
  id: Schema.String.annotate({ description: "The id of the entry." }),
  sequence: Schema.Int.annotate({ description: "Its position in the chain of the workspace, from 1." }),
  action_kind: AuditKind,
  actor: AuditActor,
  target: Schema.Struct({ type: Schema.String, id: Schema.String }),
  ip: Schema.NullOr(Schema.String),
  user_agent: Schema.NullOr(Schema.String),
  request_id: Schema.NullOr(Schema.String),
  before: Schema.Unknown,
  after: Schema.Unknown,
  created_at: Schema.String,
  hash: Schema.String.annotate({ description: "SHA-256 in hex, over this entry and the previous hash." }),
  prev_hash: Schema.String.annotate({ description: "The hash of the previous entry; empty for the first." })
}).annotate({ identifier: "AuditEntry" })
export type AuditEntry = typeof AuditEntry.Type

export const AuditVerdict = Schema.Struct({
  valid: Schema.Boolean,
  entries: Schema.Int.annotate({ description: "How many entries were checked: all that are stored." }),
  broken_at: Schema.NullOr(Schema.Struct({ id: Schema.String, sequence: Schema.Int })).annotate({
    description: "The first entry that does not fit the chain: it was changed, or the previous one was removed."
  }),
  last_sequence: Schema.NullOr(Schema.Int),
  last_hash: Schema.NullOr(Schema.String).annotate({
    description: "Store it elsewhere: if the hash at this sequence is ever different, the log was rewritten."
  })
}).annotate({ identifier: "AuditVerdict" })
export type AuditVerdict = typeof AuditVerdict.Type

/** Instants are epoch milliseconds; `from` is inclusive, `to` exclusive. */
export interface AuditFilter {
  readonly action_kind?: AuditKind
  readonly actor_id?: string
  readonly target_id?: string
  readonly from?: number
  readonly to?: number
}
