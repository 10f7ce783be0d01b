// Saved cards at Stripe, and its log of what has changed.
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { topUpId } from "../../../support/Ids.ts"
import { signedNow } from "../../../support/StripeStandIn.ts"
import { paid, request, topup_id, withStripe } from "../../../support/StripeProvider.ts"

describe("a saved card", () => {
  const reference = "cus_1 pm_1"
  const asked = request("RWF", 100_000)

  it.live("is kept when its owner pays, and charged while the owner is away", () =>
    withStripe((standIn, { push, query }) =>
      Effect.gen(function* () {
        const saving = { ...request("KES", 50_000), save_card: true as const }
        yield* push(saving)
        const form = Object.fromEntries(standIn.of("POST", "/v1/checkout/sessions")[0]!.form)
        assert.deepInclude(form, {
          customer_creation: "always",
          "payment_intent_data[setup_future_usage]": "off_session"
        })
        const { id, payment_intent } = standIn.pay(topup_id)
        const { customer, payment_method } = payment_intent!
        const reference = `${customer} ${payment_method!.id}`
        const standing = yield* query(saving, id)
        assert.deepInclude(standing, { card: { reference, brand: "visa", last4: "4242" } })
      })
    )
  )

  it.live("is charged in Stripe's units, with the key of the top-up", () =>
    withStripe((standIn, { charge, query }) =>
      Effect.gen(function* () {
        const charged = yield* charge!(asked, reference)
        const [intent] = standIn.intents
        assert.deepStrictEqual(charged, { _tag: "Accepted", request_id: intent!.id })
        const form = Object.fromEntries(standIn.of("POST", "/v1/payment_intents")[0]!.form)
        assert.deepInclude(form, {
          amount: "1000",
          currency: "rwf",
          customer: "cus_1",
          payment_method: "pm_1",
          off_session: "true",
          confirm: "true",
          "metadata[topup_id]": topup_id
        })
        assert.deepInclude(yield* query(asked, intent!.id), {
          _tag: "Paid",
          amount_minor: 100_000,
          currency: "RWF",
          receipt: intent!.id
        })
        const other = { ...asked, topup_id: topUpId("0190f5fe-7c00-7a00-8000-0000000000fe") }
        assert.deepStrictEqual(yield* query(other, intent!.id), { _tag: "Pending" }, "it is of this top-up alone")
        intent!.status = "processing"
        assert.deepStrictEqual(yield* query(asked, intent!.id), { _tag: "Pending" })
        intent!.status = "canceled"
        assert.deepInclude(yield* query(asked, intent!.id), { _tag: "Failed" })
      })
    )
  )

  it.live("is charged once, although the first answers were lost", () =>
    withStripe((standIn, { charge }) =>
      Effect.gen(function* () {
        standIn.next = ["cut", "cut"]
        assert.strictEqual((yield* Effect.flip(charge!(asked, reference)))._tag, "ProviderUnanswered")
        assert.strictEqual((yield* charge!(asked, reference))._tag, "Accepted")
        assert.lengthOf(standIn.intents, 1)
      })
    )
  )

  for (const [bank, code] of [
    ["card_declined", "card_declined"],
    ["insufficient_funds", "payer_insufficient_funds"],
    ["authentication_required", "authentication_required"]
  ] as const)
    it.live(`is refused if the bank says ${bank}`, () =>
      withStripe((standIn, { charge }) =>
        Effect.gen(function* () {
          standIn.bank = bank
          assert.deepInclude(yield* charge!(asked, reference), { _tag: "Refused", code })
          // Stripe answers a repeated request with its first answer.
          standIn.bank = "succeeded"
          assert.deepInclude(yield* charge!(asked, reference), { _tag: "Refused", code })
          assert.lengthOf(standIn.intents, 0)
        })
      )
    )

  it.live("that Stripe does not know any more is refused", () =>
    withStripe((_standIn, { charge }) =>
      Effect.map(charge!(asked, ""), (refused) =>
        assert.deepInclude(refused, { _tag: "Refused", code: "card_declined" })
      )
    )
  )

  it.live("that is forgotten cannot be charged any more, and can be forgotten again", () =>
    withStripe((standIn, { charge, forget }) =>
      Effect.gen(function* () {
        // The answer to the first request is lost, also when the library repeats it.
        standIn.next = ["cut", "cut", "cut", "cut"]
        assert.strictEqual((yield* Effect.flip(forget!(reference)))._tag, "ProviderUnanswered")
        yield* forget!(reference)
        yield* forget!(reference)
        assert.deepStrictEqual([...standIn.detached], ["pm_1"])
        assert.deepInclude(yield* charge!(asked, reference), { _tag: "Refused", code: "card_declined" })
        yield* forget!("cus_1 gone_1")
        yield* forget!("")
      })
    )
  )

  it.live("is not forgotten by a provider that refuses to", () =>
    withStripe((standIn, { forget }) =>
      Effect.gen(function* () {
        standIn.next = [{ status: 403, body: { error: { type: "invalid_request_error", message: "No permission" } } }]
        assert.strictEqual((yield* Effect.flip(forget!(reference)))._tag, "ProviderUnanswered")
        assert.lengthOf([...standIn.detached], 0)
      })
    )
  )

  it.live("has notices that lead to its top-up", () =>
    withStripe((standIn, { charge }, read) =>
      Effect.gen(function* () {
        yield* charge!(asked, reference)
        const [intent] = standIn.intents
        const expected = { _tag: "Changed", topup_id, request_id: intent!.id } as const
        for (const [type, object] of [
          ["payment_intent.succeeded", intent!],
          ["charge.refunded", intent!.latest_charge]
        ] as const) {
          const { headers, payload } = yield* signedNow(standIn, type, object)
          assert.deepStrictEqual(yield* read({ headers, body: new TextEncoder().encode(payload) }), expected, type)
        }
      })
    )
  )
})

describe("the log of events", () => {
  it.live("has every payment that changed, once, page by page", () =>
    withStripe((standIn, provider) =>
      Effect.gen(function* () {
        const { changes, charge } = provider
        const { session } = yield* paid(standIn, provider)
        const other = { ...request("KES", 70_000), topup_id: topUpId("0190f5fe-7c00-7a00-8000-0000000000fe") }
        yield* charge!(other, "cus_1 pm_1")
        const [intent] = standIn.intents
        for (let n = 0; n < 130; n++)
          standIn.record("charge.refunded", standIn.refund(topup_id, n), 1_000_000 + n * 1000)
        standIn.record("charge.dispute.created", { object: "dispute", payment_intent: intent!.id }, 1_100_000)
        standIn.record("customer.created", { object: "customer" }, 1_100_000)
        standIn.record("charge.refunded", { object: "charge", payment_intent: "pi_of_another_shop" }, 1_100_000)
        const found = yield* changes!(1_000_000, 1_200_000)
        assert.sameDeepMembers(
          [...found],
          [
            { _tag: "Changed", topup_id, request_id: session.id },
            { _tag: "Changed", topup_id: other.topup_id, request_id: intent!.id }
          ]
        )
        assert.isAtLeast(standIn.of("GET", "/v1/events").length, 2)
        assert.deepStrictEqual(yield* changes!(2_000_000, 3_000_000), [])
        standIn.nextOfLog = ["cut", "cut"]
        assert.strictEqual((yield* Effect.flip(changes!(0, 1)))._tag, "ProviderUnanswered")
      })
    )
  )
})
