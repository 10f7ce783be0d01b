// Stripe's webhook (https://docs.stripe.com/webhooks): the library verifies the signature and its age, and the object
// of the event leads to the payment page and its top-up. What has happened is not read from the event.
import { Clock, Effect, Layer, Redacted } from "effect"
import type { Stripe } from "stripe"
import { type TopUpId, toTopUpId } from "../../../domain/BrandedIds.ts"
import { CardNotices } from "../../../domain/ports/CardNotices.ts"
import type { CardNotice, PostedCardNotice } from "../../../domain/topups/CardNotice.ts"
import { ProviderUnanswered } from "../../../domain/ports/PaymentProvider.ts"
import { traced } from "../../../domain/Traced.ts"
import { faultOf, makeStripe, type StripeOptions } from "./StripeClient.ts"

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
}

const unrelated: CardNotice = { _tag: "Unrelated" }

const changed = ({ client_reference_id, id }: Described): CardNotice => {
  const topup_id = topUpOf(client_reference_id)
  return topup_id === undefined || typeof id !== "string" ? unrelated : { _tag: "Changed", topup_id, request_id: id }
}

export const layer = (options: StripeOptions): Layer.Layer<CardNotices> =>
  Layer.effect(
    CardNotices,
    Effect.map(makeStripe(options), (stripe) =>
      CardNotices.of({
        read: traced("StripeNotices.read")(function* (posted) {
          const event = verified(stripe, options, posted, yield* Clock.currentTimeMillis)
          if (event === undefined) return { _tag: "Forged" } as const
          const about = (event.data?.object ?? {}) as Described
          if (about.object === "checkout.session") return changed(about)
          // Charges, refunds and disputes name the payment; its page names the top-up.
          const { payment_intent } = about
          if (typeof payment_intent !== "string") return unrelated
          const { data } = yield* Effect.tryPromise({
            try: () => stripe.checkout.sessions.list({ payment_intent, limit: 1 }),
            catch: (cause) => new ProviderUnanswered({ cause: faultOf(cause) })
          })
          const [session] = data
          return session === undefined ? unrelated : changed(session)
        })
      })
    )
  )
