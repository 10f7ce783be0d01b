import { Context, Data, type Effect, Schema } from "effect"
import type { CallbackRequest } from "../../calls/state/CallbackAttempt.ts"
import type { VoiceAction } from "../../calls/verbs/VoiceAction.ts"

export const CallbackFailureCause = Schema.Literals(["callback_failed", "callback_timeout", "voice_action_invalid"])

/** Why the customer's response could not be used. */
export class CallbackFailure extends Data.TaggedError("CallbackFailure")<{
  readonly cause: typeof CallbackFailureCause.Type
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
