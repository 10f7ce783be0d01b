// Which payments have changed, from Stripe's own log of events (https://docs.stripe.com/api/events/list), which has
// those of the last 30 days. It finds what a lost webhook would have told. Like a webhook, an event only names the
// payment.
import { Effect } from "effect"
import type { Stripe } from "stripe"
import { type CardProvider, ProviderUnanswered } from "../../../domain/ports/money/PaymentProvider.ts"
import type { CardNotice } from "../../../domain/topups/CardNotice.ts"
import { traced } from "../../../domain/Traced.ts"
import { counts, request, type StripeOptions } from "./StripeClient.ts"
import { noticeOf } from "./StripeNotices.ts"

type Changed = Extract<CardNotice, { readonly _tag: "Changed" }>

/** The events that the webhook is registered for (docs/topups.md). */
const types = [
  "checkout.session.completed",
  "checkout.session.expired",
  "payment_intent.succeeded",
  "charge.refunded",
  "refund.updated",
  "refund.failed",
  "charge.dispute.created",
  "charge.dispute.updated",
  "charge.dispute.closed"
]
/** The largest page that Stripe has. */
const page = 100

export const makeChanges = (stripe: Stripe, options: StripeOptions): NonNullable<CardProvider["changes"]> => {
  const eventsBetween = Effect.fnUntraced(function* (from: number, to: number) {
    const created = { gte: Math.floor(from / 1000), lte: Math.floor(to / 1000) }
    const events: Array<Stripe.Event> = []
    let last: Stripe.Event | undefined
    while (true) {
      const after = last?.id
      const { data, has_more } = yield* request(() =>
        stripe.events.list({ types, created, limit: page, ...(after !== undefined && { starting_after: after }) })
      )
      events.push(...data.filter((event) => counts(options, event)))
      last = data.at(-1)
      if (!has_more || last === undefined) return events
    }
  })
  return traced("StripeCards.changes")(
    function* (from: number, to: number) {
      const changed = new Map<string, Changed>()
      for (const { data } of yield* eventsBetween(from, to)) {
        const notice = yield* noticeOf(stripe, data.object)
        if (notice._tag === "Changed") changed.set(notice.topup_id, notice)
      }
      return [...changed.values()]
    },
    (changes) => Effect.mapError(changes, (cause) => new ProviderUnanswered({ cause }))
  )
}
