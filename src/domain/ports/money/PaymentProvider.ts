// Providers that collect the money of top-ups. A prompt asks a person for money, so each prompt is sent at most once;
// the provider then announces the outcome, or the engine queries it.
import { Context, Data, type Effect, Layer } from "effect"
import type { Currency } from "../../wallet/Currency.ts"
import type { CardNotice } from "../../topups/CardNotice.ts"
import type { ListedPayment, Pushed, PushRequest, Standing } from "../../topups/ProviderPayment.ts"

/** The provider gave no usable answer. The request may have been carried out. */
export class ProviderUnanswered extends Data.TaggedError("ProviderUnanswered")<{ readonly cause: unknown }> {}

export interface PaymentProvider {
  /** Prompts the payer. If it fails, the prompt may have been sent. */
  readonly push: (request: PushRequest) => Effect.Effect<Pushed, ProviderUnanswered>
  /** Asks for the outcome of a prompt. `request_id` is the one that `push` answered with. */
  readonly query: (request: PushRequest, request_id: string) => Effect.Effect<Standing, ProviderUnanswered>
}

export interface MobileMoneyProvider extends PaymentProvider {
  /** The currency of the account. Wallets in other currencies cannot be topped up by mobile money. */
  readonly currency: Currency
  /** Prompts ask for multiples of this amount. */
  readonly unit_minor: number
  /** All payments to the account between two instants, in epoch milliseconds. */
  readonly payments: (from: number, to: number) => Effect.Effect<ReadonlyArray<ListedPayment>, ProviderUnanswered>
}

/** `provider` is undefined if the deployment has none. */
export class MobileMoney extends Context.Service<
  MobileMoney,
  {
    readonly provider: MobileMoneyProvider | undefined
  }
>()("trunkline/domain/ports/MobileMoney") {
  static readonly none = Layer.succeed(MobileMoney)({ provider: undefined })
}

/** A card provider recognises a repeated push by its top-up: the payer gets one page however often it is asked for. */
export interface CardProvider extends PaymentProvider {
  /** Amounts in this currency are multiples of this, in minor units. Default 1. */
  readonly unitOf?: (currency: Currency) => number
  /**
   * Charges a saved card (`SavedCard.reference`) while its owner is away. A repeated request for the same top-up
   * charges nothing more. Absent: this provider saves no cards.
   */
  readonly charge?: (request: PushRequest, card: string) => Effect.Effect<Pushed, ProviderUnanswered>
  /**
   * Forgets a saved card (`SavedCard.reference`), so that nobody can charge it any more. A repeated request changes
   * nothing. Absent: this provider saves no cards.
   */
  readonly forget?: (card: string) => Effect.Effect<void, ProviderUnanswered>
  /**
   * The payments that have changed between two instants, in epoch milliseconds: whatever notices would have told.
   * Absent: this provider sends no notices.
   */
  readonly changes?: (
    from: number,
    to: number
  ) => Effect.Effect<ReadonlyArray<Extract<CardNotice, { readonly _tag: "Changed" }>>, ProviderUnanswered>
}

/** `provider` is undefined if the deployment has none. */
export class CardPayments extends Context.Service<
  CardPayments,
  {
    readonly provider: CardProvider | undefined
  }
>()("trunkline/domain/ports/CardPayments") {
  static readonly none = Layer.succeed(CardPayments)({ provider: undefined })
}
