// The provider of chat-app calling.
import { Context, Data, type Effect } from "effect"
import type { CallSettings, Restriction } from "../../chatapp/CallSettings.ts"
import type { SipAccount } from "../../chatapp/SipAccount.ts"

/** `unavailable`: no usable response; the request can be retried. `rejected`: the provider refused it. */
export class ChatAppFault extends Data.TaggedError("ChatAppFault")<{
  readonly kind: "unavailable" | "rejected" | "not_eligible"
  readonly message: string
  /** The provider's error code. */
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
    /** Replaces all settings; the trunk stays as it is. Repeating it changes nothing. */
    readonly write: (number: string, settings: CallSettings) => Effect.Effect<void, ChatAppFault>
    /** The number with this id at the provider; undefined: it belongs to another account. */
    readonly numberOf: (provider_number_id: string) => Effect.Effect<string | undefined, ChatAppFault>
    /** How the provider's SIP host is reached for the number, which it knows once its trunk is provisioned. */
    readonly account: (number: string) => Effect.Effect<SipAccount, ChatAppFault>
    /** Has the provider send the number's calls to our SIP host. Repeating it changes nothing. */
    readonly provision: (number: string) => Effect.Effect<{ readonly sip_host: string }, ChatAppFault>
  }
>()("trunkline/domain/ports/ChatAppProvider") {}
