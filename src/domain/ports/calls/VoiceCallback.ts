import { Context, Data, type Effect } from "effect"
import type { CallbackRequest } from "../../calls/state/CallbackAttempt.ts"
import type { VoiceAction } from "../../calls/verbs/VoiceAction.ts"

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
