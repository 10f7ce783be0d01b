import { Schema } from "effect"

/** The request whose answer is kept, so that the same request again gets the same answer (docs/idempotency.md). */
export const IdempotentRequest = Schema.Struct({
  workspace_id: Schema.String,
  method: Schema.String,
  /** The route's template, not the path: `/v1/calls/:id/terminate` keeps one space of keys. */
  route: Schema.String,
  key: Schema.String,
  /** SHA-256 over the canonical JSON of the body (and the path), in hex. */
  fingerprint: Schema.String
})
export type IdempotentRequest = typeof IdempotentRequest.Type
