import { Schema } from "effect"

/** A request whose response is stored, so that a repetition gets the same response (docs/idempotency.md). */
export const IdempotentRequest = Schema.Struct({
  workspace_id: Schema.String,
  method: Schema.String,
  /** The template of the route, not the path: all calls share the keys of `/v1/calls/:id/terminate`. */
  route: Schema.String,
  key: Schema.String,
  /** SHA-256 of the path and the canonical JSON of the body, in hex. */
  fingerprint: Schema.String
})
export type IdempotentRequest = typeof IdempotentRequest.Type

/**
 * The response to the first request with a key. The journal stores it with the effect of the request, in one
 * transaction.
 */
export interface KeptAnswer {
  readonly fingerprint: string
  readonly status: number
  readonly body: string
  readonly headers: Readonly<Record<string, string>>
}
