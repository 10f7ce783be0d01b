// How the card provider tells that something has happened to a payment. A notice says only which top-up it concerns:
// the engine then asks the provider for the payment's standing, so notices may come late, twice and in any order.
import { Context, Effect, Layer } from "effect"
import type { CardNotice, PostedCardNotice } from "../../topups/CardNotice.ts"
import type { ProviderUnanswered } from "./PaymentProvider.ts"

export class CardNotices extends Context.Service<
  CardNotices,
  {
    /** Reads a notice. If it fails, the provider must send it again. */
    readonly read: (posted: PostedCardNotice) => Effect.Effect<CardNotice, ProviderUnanswered>
  }
>()("trunkline/domain/ports/CardNotices") {
  /** For providers that send no notices, and for deployments without cards. */
  static readonly none = Layer.succeed(CardNotices)({ read: () => Effect.succeed({ _tag: "Forged" }) })
}
