// Whoever carries calls of the chat app.
import { Context, Data, type Effect, Schema } from "effect"
import type { CallSettings } from "../chatapp/CallSettings.ts"

export const Restriction = Schema.Struct({
  type: Schema.String,
  reason: Schema.String,
  expiration: Schema.Int.annotate({ description: "Seconds since the epoch." })
}).annotate({ identifier: "ChatAppRestriction" })
export type Restriction = typeof Restriction.Type

/** `unavailable`: nobody answered, or no answer of worth; what was asked may be asked again. `rejected`: it will not do it. */
export class ChatAppFault extends Data.TaggedError("ChatAppFault")<{
  readonly kind: "unavailable" | "rejected" | "not_eligible"
  readonly message: string
  /** The provider's own. */
  readonly code: number | null
  readonly cause?: unknown
}> {}

export class ChatAppProvider extends Context.Service<
  ChatAppProvider,
  {
    readonly read: (
      number: string
    ) => Effect.Effect<
      { readonly settings: CallSettings; readonly restrictions: ReadonlyArray<Restriction> },
      ChatAppFault
    >
    /** All of the settings at once; the trunk is not touched. Repeating it changes nothing. */
    readonly write: (number: string, settings: CallSettings) => Effect.Effect<void, ChatAppFault>
    /** The number that has this id there; undefined where it is none of ours. */
    readonly numberOf: (provider_number_id: string) => Effect.Effect<string | undefined, ChatAppFault>
    /** Has the provider send the number's calls to our SIP host. Repeating it changes nothing. */
    readonly provision: (number: string) => Effect.Effect<{ readonly sip_host: string }, ChatAppFault>
  }
>()("trunkline/domain/ports/ChatAppProvider") {}
