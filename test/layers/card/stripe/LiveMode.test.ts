// Stripe in production, where payments of its test mode count for nothing.
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { paid, request, topup_id, withStripe } from "../../../support/StripeProvider.ts"
import { topUpId } from "../../../support/Ids.ts"
import { signedNow } from "../../../support/StripeStandIn.ts"

const asked = request("KES", 50_000)
const live_only = { live_only: true }
const refused = { _tag: "Refused", code: "provider_misconfigured" } as const
const failed = { _tag: "Failed", code: "provider_misconfigured" } as const

describe("in production, Stripe's test mode", () => {
  it.live("credits no payment, although the page is shown as paid", () =>
    withStripe(
      (standIn, provider) =>
        Effect.gen(function* () {
          yield* provider.push(asked)
          standIn.livemode = false
          const { id, payment_intent } = standIn.pay(topup_id)
          assert.deepInclude(yield* provider.query(asked, id), failed, "the payment is of the test mode")
          standIn.sessions.set(id, { ...standIn.sessionOf(topup_id), livemode: false })
          assert.deepInclude(yield* provider.query(asked, id), failed, "the page is of the test mode")
          standIn.sessions.set(id, {
            ...standIn.sessionOf(topup_id),
            livemode: true,
            payment_intent: { ...payment_intent!, livemode: true }
          })
          assert.deepInclude(yield* provider.query(asked, id), { _tag: "Paid", amount_minor: 50_000 })
        }),
      live_only
    )
  )

  it.live("makes no page that a payer is sent to, and charges no saved card", () =>
    withStripe(
      (standIn, { charge, push, query }) =>
        Effect.gen(function* () {
          standIn.livemode = false
          assert.deepInclude(yield* push(asked), refused)
          const charged = { ...asked, topup_id: topUpId("0190f5fe-7c00-7a00-8000-0000000000fe") }
          assert.deepInclude(yield* charge!(charged, "cus_1 pm_1"), refused)
          const [intent] = standIn.intents
          assert.deepInclude(yield* query(charged, intent!.id), failed)
        }),
      live_only
    )
  )

  it.live("has no event that counts, neither posted nor in the log", () =>
    withStripe(
      (standIn, provider, read) =>
        Effect.gen(function* () {
          const { session } = yield* paid(standIn, provider)
          const expected = { _tag: "Changed", topup_id, request_id: session.id } as const
          const posted = Effect.map(signedNow(standIn, "checkout.session.completed", session), (event) => ({
            headers: event.headers,
            body: new TextEncoder().encode(event.payload)
          }))
          const inLog = (at: number) => provider.changes!(at - 1_000, at + 1_000)
          assert.deepStrictEqual(yield* read(yield* posted), expected)
          standIn.record("charge.refunded", standIn.refund(topup_id, 1), 1_000_000)
          assert.deepStrictEqual(yield* inLog(1_000_000), [expected])
          standIn.livemode = false
          assert.deepStrictEqual(yield* read(yield* posted), { _tag: "Unrelated" })
          standIn.record("charge.refunded", standIn.refund(topup_id, 2), 2_000_000)
          assert.deepStrictEqual(yield* inLog(2_000_000), [])
        }),
      live_only
    )
  )
})

it.live("in development, Stripe's test mode pays", () =>
  withStripe((standIn, provider) =>
    Effect.gen(function* () {
      standIn.livemode = false
      const { standing } = yield* paid(standIn, provider)
      assert.deepInclude(yield* standing, { _tag: "Paid", amount_minor: 50_000 })
    })
  )
)
