// Stripe's webhook (https://docs.stripe.com/webhooks): the library verifies the signature and its age, and the object
// of the event leads to the payment page and its top-up. What has happened is not read from the event.
import { Clock, Effect, Layer, Redacted } from "effect"
import type { Stripe } from "stripe"
import { type TopUpId, toTopUpId } from "../../../domain/BrandedIds.ts"
import { CardNotices } from "../../../domain/ports/money/CardNotices.ts"
import type { CardNotice, PostedCardNotice } from "../../../domain/topups/CardNotice.ts"
import { ProviderUnanswered } from "../../../domain/ports/money/PaymentProvider.ts"
import { traced } from "../../../domain/Traced.ts"
import { counts, makeStripe, request, type StripeFault, type StripeOptions } from "./StripeClient.ts"

/** How old a signature may be: a recorded notice cannot be sent again later. Stripe signs each repetition anew. */
const signatureLife_s = 300

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

const topUpOf = (reference: unknown): TopUpId | undefined =>
  typeof reference === "string" && uuid.test(reference) ? toTopUpId(reference) : undefined

/** The event, if one of the secrets has signed it. */
const verified = (
  stripe: Stripe,
  { webhook_secrets }: StripeOptions,
  { body, headers }: PostedCardNotice,
  now: number
): Stripe.Event | undefined => {
  for (const secret of webhook_secrets) {
    try {
      return stripe.webhooks.constructEvent(
        body,
        headers["stripe-signature"] ?? "",
        Redacted.value(secret),
        signatureLife_s,
        undefined,
        now
      )
    } catch {
      // Another secret may have signed it.
    }
  }
  return undefined
}

interface Described {
  readonly object?: unknown
  readonly id?: unknown
  readonly client_reference_id?: unknown
  readonly payment_intent?: unknown
  readonly metadata?: unknown
}

const unrelated: CardNotice = { _tag: "Unrelated" }

const changed = (topup: unknown, request_id: unknown): CardNotice => {
  const topup_id = topUpOf(topup)
  return topup_id === undefined || typeof request_id !== "string"
    ? unrelated
    : { _tag: "Changed", topup_id, request_id }
}

const ofSession = ({ client_reference_id, id }: Described): CardNotice => changed(client_reference_id, id)

/** A charge without a page names its top-up itself. */
const ofIntent = ({ id, metadata }: Described): CardNotice =>
  changed((metadata as Readonly<Record<string, unknown>> | null | undefined)?.["topup_id"], id)

/** The payment page of a payment names the top-up; a saved card is charged without a page. */
const ofPayment = Effect.fnUntraced(function* (stripe: Stripe, id: string) {
  const { data } = yield* request(() => stripe.checkout.sessions.list({ payment_intent: id, limit: 1 }))
  const [session] = data
  if (session !== undefined) return ofSession(session)
  const intent = yield* Effect.catchIf(
    request(() => stripe.paymentIntents.retrieve(id)),
    ({ status }) => status === 404,
    () => Effect.succeed({})
  )
  return ofIntent(intent)
})

/** What an event's object is about: a page, a payment, or a charge, refund or dispute of a payment. */
export const noticeOf = (stripe: Stripe, object: unknown): Effect.Effect<CardNotice, StripeFault> => {
  const about = (object ?? {}) as Described
  if (about.object === "checkout.session") return Effect.succeed(ofSession(about))
  const payment = about.object === "payment_intent" ? about.id : about.payment_intent
  return typeof payment === "string" ? ofPayment(stripe, payment) : Effect.succeed(unrelated)
}

export const layer = (options: StripeOptions): Layer.Layer<CardNotices> =>
  Layer.effect(
    CardNotices,
    Effect.map(makeStripe(options), (stripe) =>
      CardNotices.of({
        read: traced("StripeNotices.read")(function* (posted) {
          const event = verified(stripe, options, posted, yield* Clock.currentTimeMillis)
          if (event === undefined) return { _tag: "Forged" } as const
          if (!counts(options, event)) return unrelated
          return yield* Effect.mapError(
            noticeOf(stripe, event.data?.object),
            (cause) => new ProviderUnanswered({ cause })
          )
        })
      })
    )
  )
