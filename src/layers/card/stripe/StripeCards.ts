// Card payments on Stripe's payment page (Stripe Checkout, https://docs.stripe.com/api/checkout/sessions).
import { Effect, Layer } from "effect"
import type { Stripe } from "stripe"
import { CardPayments, type CardProvider, ProviderUnanswered } from "../../../domain/ports/money/PaymentProvider.ts"
import type { Pushed, PushRequest, Standing } from "../../../domain/topups/ProviderPayment.ts"
import type { FailureCode } from "../../../domain/wallet/FailureCode.ts"
import { Currency } from "../../../domain/wallet/Currency.ts"
import { traced } from "../../../domain/Traced.ts"
import { amountOfStripe, stripeAmount, unitOf } from "./StripeAmounts.ts"
import { makeChanges } from "./StripeChanges.ts"
import { makeCharge, makeForget, savedCardOf, testMode } from "./StripeCharges.ts"
import { counts, isTemporary, makeStripe, request, type StripeFault, type StripeOptions } from "./StripeClient.ts"

/** How long the page can be paid on. Stripe allows 30 minutes to 24 hours after it has made the page. */
const pageLifetime_s = 3_600

/** Disputes for which Stripe has taken the money (https://docs.stripe.com/api/disputes/object, `status`). */
const takenBy = new Set(["needs_response", "under_review", "lost"])
const disputes_max = 100

/** Not the provider's own words: those may name the platform's account. */
const refusals: Readonly<Record<string, readonly [FailureCode, string]>> = {
  amount_too_large: ["provider_limit", "The amount is above the provider's maximum."],
  amount_too_small: ["provider_limit", "The amount is below the provider's minimum."]
}
const misconfigured = ["provider_misconfigured", "The card provider refused the platform's request."] as const

const refusalOf = ({ code = "" }: StripeFault): Pushed => {
  const [failure, message] = refusals[code] ?? misconfigured
  return { _tag: "Refused", code: failure, message }
}

const unanswered = (fault: StripeFault) => new ProviderUnanswered({ cause: fault })

const answerOf = (options: StripeOptions, page: Stripe.Checkout.Session): Pushed => {
  const { expires_at, id, url } = page
  if (!counts(options, page)) return { _tag: "Refused", ...testMode }
  return url === null
    ? { _tag: "Refused", code: "provider_error", message: "The card provider made no payment page." }
    : { _tag: "Accepted", request_id: id, page: { url, expires_at: expires_at * 1000 } }
}

const makePush = (stripe: Stripe, options: StripeOptions): CardProvider["push"] =>
  traced("StripeCards.push")(({ account_ref, amount_minor, created_at, currency, save_card, topup_id }) => {
    const metadata = { topup_id }
    const price_data = {
      currency: currency.toLowerCase(),
      unit_amount: stripeAmount(amount_minor, currency),
      product_data: { name: "Top-up" }
    }
    const session = request(() =>
      stripe.checkout.sessions.create(
        {
          mode: "payment",
          allowed_payment_method_types: ["card"],
          // The payer pays the wallet's currency, whatever the card's is.
          adaptive_pricing: { enabled: false },
          client_reference_id: topup_id,
          metadata,
          payment_intent_data: {
            metadata,
            description: `Top-up ${account_ref}`,
            ...(save_card && { setup_future_usage: "off_session" as const })
          },
          ...(save_card && { customer_creation: "always" as const }),
          line_items: [{ quantity: 1, price_data }],
          success_url: options.return_url,
          cancel_url: options.return_url,
          expires_at: Math.floor(created_at / 1000) + pageLifetime_s
        },
        // A top-up that was refused and is started again is another request.
        { idempotencyKey: `${topup_id}:${created_at}` }
      )
    )
    return session.pipe(
      Effect.map((page) => answerOf(options, page)),
      Effect.catch((fault) =>
        isTemporary(fault)
          ? Effect.fail(unanswered(fault))
          : Effect.as(Effect.logWarning("Stripe refused to make a payment page", fault), refusalOf(fault))
      )
    )
  })

const isCurrency = (code: string): code is Currency => (Currency.literals as ReadonlyArray<string>).includes(code)

/** What Stripe has given back of a payment, in its own minor units: refunds, and disputes that are not won. */
const makeTakenBack = (stripe: Stripe) =>
  Effect.fnUntraced(function* (intent: Stripe.PaymentIntent) {
    const { latest_charge: charge } = intent
    if (charge === null || typeof charge === "string") return 0
    if (!charge.disputed) return charge.amount_refunded
    const { data } = yield* request(() => stripe.disputes.list({ payment_intent: intent.id, limit: disputes_max }))
    const disputed = data.filter(({ status }) => takenBy.has(status)).reduce((sum, { amount }) => sum + amount, 0)
    return Math.min(charge.amount, charge.amount_refunded + disputed)
  })

/** How the ids of charges without a page begin. */
const intentPrefix = "pi_"

const pending: Standing = { _tag: "Pending" }
const unpaid: Standing = { _tag: "Failed", code: "expired", message: "Nobody paid on the page in time." }
const canceled: Standing = { _tag: "Failed", code: "card_declined", message: "The card was not charged." }

const ofTestMode: Standing = { _tag: "Failed", ...testMode }

const makeQuery = (stripe: Stripe, options: StripeOptions): CardProvider["query"] => {
  const takenBack = makeTakenBack(stripe)

  const paid = Effect.fnUntraced(function* (intent: Stripe.PaymentIntent) {
    if (!counts(options, intent)) {
      yield* Effect.logError("A payment of Stripe's test mode was not credited", intent.id)
      return ofTestMode
    }
    const currency = intent.currency.toUpperCase()
    const minor = (amount: number) => (isCurrency(currency) ? amountOfStripe(amount, currency) : amount)
    const card = savedCardOf(intent)
    const standing: Standing = {
      _tag: "Paid",
      receipt: intent.id,
      amount_minor: minor(intent.amount_received),
      currency,
      taken_back_minor: minor(yield* takenBack(intent)),
      ...(card && { card })
    }
    return standing
  })

  const ofCharge = Effect.fnUntraced(function* (topup_id: string, request_id: string) {
    const intent = yield* request(() => stripe.paymentIntents.retrieve(request_id, { expand: ["latest_charge"] }))
    if (intent.metadata["topup_id"] !== topup_id) return pending
    if (intent.status === "succeeded") return yield* paid(intent)
    return intent.status === "canceled" || intent.status === "requires_payment_method" ? canceled : pending
  })

  const ofPage = Effect.fnUntraced(function* (topup_id: string, request_id: string) {
    const expand = ["payment_intent.latest_charge", "payment_intent.payment_method"]
    const session = yield* request(() => stripe.checkout.sessions.retrieve(request_id, { expand }))
    const { client_reference_id, payment_intent: intent, payment_status, status } = session
    if (client_reference_id !== topup_id) return pending
    if (!counts(options, session)) return ofTestMode
    if (payment_status === "paid" && intent !== null && typeof intent === "object") return yield* paid(intent)
    return status === "expired" ? unpaid : pending
  })

  return traced("StripeCards.query")(
    ({ topup_id }: PushRequest, request_id: string) =>
      request_id.startsWith(intentPrefix) ? ofCharge(topup_id, request_id) : ofPage(topup_id, request_id),
    // An unknown page was made with another account's key. Nobody can be asked about it.
    (standing) =>
      Effect.catch(standing, (fault) =>
        fault.status === 404 ? Effect.succeed<Standing>(pending) : Effect.fail(unanswered(fault))
      )
  )
}

export const layer = (options: StripeOptions): Layer.Layer<CardPayments> =>
  Layer.effect(
    CardPayments,
    Effect.map(makeStripe(options), (stripe) =>
      CardPayments.of({
        provider: {
          unitOf,
          push: makePush(stripe, options),
          query: makeQuery(stripe, options),
          charge: makeCharge(stripe, options),
          forget: makeForget(stripe),
          changes: makeChanges(stripe, options)
        }
      })
    )
  )
