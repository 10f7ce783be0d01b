import { Context, Data, type Effect } from "effect"
import type { RawCallbackAttempt } from "../calls/CallbackAttempt.ts"
import type { VoiceAction } from "../calls/VoiceAction.ts"
import type { CallId, WorkspaceId } from "../BrandedIds.ts"

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
  /** Is told of each request as it ends, for the timeline of the call. Undefined: nobody is. */
  readonly attempted?: (attempt: RawCallbackAttempt) => void
}

/** Why the customer's response could not be used. */
export class CallbackFailure extends Data.TaggedError("CallbackFailure")<{
  readonly cause: "callback_failed" | "callback_timeout" | "voice_action_invalid"
  readonly http_status?: number
  /** JSON pointer to the fault in the document, if there is one. */
  readonly pointer?: string
  readonly detail: string
}> {}

export class VoiceCallback extends Context.Service<
  VoiceCallback,
  {
    readonly ask: (request: CallbackRequest) => Effect.Effect<ReadonlyArray<VoiceAction>, CallbackFailure>
  }
>()("trunkline/domain/ports/VoiceCallback") {}
