// Stripe as the provider of cards, over real HTTP against its stand-in.
import { assert } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { CardNotices } from "../../src/domain/ports/money/CardNotices.ts"
import { CardPayments, type CardProvider } from "../../src/domain/ports/money/PaymentProvider.ts"
import type { Currency } from "../../src/domain/wallet/Currency.ts"
import * as StripeCards from "../../src/layers/card/stripe/StripeCards.ts"
import type { StripeOptions } from "../../src/layers/card/stripe/StripeClient.ts"
import * as StripeNotices from "../../src/layers/card/stripe/StripeNotices.ts"
import { topUpId } from "./Ids.ts"
import { StripeStandIn, stripeAt } from "./StripeStandIn.ts"

export const topup_id = topUpId("0190f5fe-7c00-7a00-8000-0000000000ff")
export const created_at = 1_790_000_000_123
export const request = (currency: Currency, amount_minor: number) => ({
  topup_id,
  amount_minor,
  currency,
  phone_e164: "",
  account_ref: "4T7K2M9QX3",
  created_at
})

export const withStripe = <A, E>(
  test: (standIn: StripeStandIn, provider: CardProvider, read: CardNotices["Service"]["read"]) => Effect.Effect<A, E>,
  change: Partial<StripeOptions> = {}
) =>
  Effect.gen(function* () {
    const standIn = new StripeStandIn()
    const options = { ...(yield* stripeAt(standIn)), ...change }
    const context = yield* Layer.build(Layer.merge(StripeCards.layer(options), StripeNotices.layer(options)))
    return yield* Effect.gen(function* () {
      const { provider } = yield* CardPayments
      return yield* test(standIn, provider!, (yield* CardNotices).read)
    }).pipe(Effect.provideContext(context))
  }).pipe(Effect.scoped)

/** A top-up that was paid. */
export const paid = (
  standIn: StripeStandIn,
  provider: CardProvider,
  currency: Currency = "KES",
  amount_minor = 50_000
) =>
  Effect.gen(function* () {
    const pushed = yield* provider.push(request(currency, amount_minor))
    assert.strictEqual(pushed._tag, "Accepted")
    const session = standIn.pay(topup_id)
    return { session, standing: provider.query(request(currency, amount_minor), session.id) }
  })
