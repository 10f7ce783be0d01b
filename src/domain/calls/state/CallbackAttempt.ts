// One request to a voice callback and what came back, as the timeline of the call shows it.
import { Schema } from "effect"
import { shown } from "./Shown.ts"
import type { CallId, WorkspaceId } from "../../BrandedIds.ts"

export const CallbackAttempt = Schema.Struct({
  /** Without what may be secret. */
  url: Schema.String,
  /** When it was sent, epoch milliseconds. */
  at: Schema.Int,
  duration_ms: Schema.Int,
  /** Null: no response came. */
  http_status: Schema.NullOr(Schema.Int),
  /** Why it brought no actions; null if it did. */
  error: Schema.NullOr(Schema.String),
  request: Schema.Unknown,
  response: Schema.Unknown
})
export type CallbackAttempt = typeof CallbackAttempt.Type

/** An attempt as a transport saw it. Bodies are the whole texts; `response` is null if none came. */
export interface RawCallbackAttempt extends Omit<CallbackAttempt, "request" | "response"> {
  readonly request: string
  readonly response: string | null
}

/** More attempts than one question can have, redirects included. */
const maxAttempts = 16

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return text
  }
}

/** The attempts of one question, redacted and bounded for storage. */
export const shownAttempts = (attempts: ReadonlyArray<RawCallbackAttempt>): ReadonlyArray<CallbackAttempt> =>
  attempts.slice(0, maxAttempts).map(({ request, response, url, ...attempt }) => ({
    ...attempt,
    url: String(shown(url)),
    request: shown(parsed(request)),
    response: response === null ? null : shown(parsed(response))
  }))

/** One request to a customer's voice callback (docs/voice-actions.md). */
export interface CallbackRequest {
  readonly url: string
  readonly fallback_url: string | null
  readonly workspace_id: WorkspaceId
  readonly call_id: CallId
  /** The same for every repetition of the request. */
  readonly idempotency_key: string
  /** The JSON text of the request's body. */
  readonly body: string
  /** Deadline of the whole exchange, fallback included, in epoch milliseconds. */
  readonly deadline_at: number
  /** The URL is of a number's routing, which may use http in every deployment. */
  readonly allow_http?: true
  /** The call is only tried (docs/voice-actions.md, "Try it without a call"). */
  readonly simulated?: true
  /** Is told of each request as it ends, for the timeline of the call. Undefined: nobody is. */
  readonly attempted?: (attempt: RawCallbackAttempt) => void
}
