import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { amountOfStripe, stripeAmount, unitOf } from "../../../../src/layers/card/stripe/StripeAmounts.ts"
import * as StripeCards from "../../../../src/layers/card/stripe/StripeCards.ts"
import { created_at, paid, request, topup_id, withStripe } from "../../../support/StripeProvider.ts"
import { cardProviderContract } from "../../../contract/CardProvider.ts"
import { topUpId } from "../../../support/Ids.ts"
import { signedNow, StripeStandIn, stripeAt, webhookSecret } from "../../../support/StripeStandIn.ts"

describe("Stripe", () => {
  cardProviderContract((test) =>
    Effect.gen(function* () {
      const standIn = new StripeStandIn()
      const options = yield* stripeAt(standIn)
      return yield* test({
        layer: StripeCards.layer(options),
        pay: (id) => standIn.pay(id),
        decline: (id) => standIn.expire(id),
        amounts: { paid: 50_000, declined: 50_000 }
      })
    }).pipe(Effect.scoped)
  )
})

describe("amounts at Stripe", () => {
  it("have Stripe's minor units: none for RWF, two that are always 00 for UGX", () => {
    const cases = [
      ["KES", 12_345, 12_345, 1],
      ["TZS", 200_000, 200_000, 1],
      ["UGX", 500, 500, 100],
      ["RWF", 100_000, 1_000, 100],
      ["ZAR", 2_001, 2_001, 1],
      ["GHS", 1_000, 1_000, 1],
      ["NGN", 100_000, 100_000, 1]
    ] as const
    for (const [currency, ours, theirs, step] of cases) {
      assert.strictEqual(stripeAmount(ours, currency), theirs, currency)
      assert.strictEqual(amountOfStripe(theirs, currency), ours, currency)
      assert.strictEqual(unitOf(currency), step, currency)
    }
  })

  for (const [currency, amount_minor, sent] of [
    ["KES", 12_345, "12345"],
    ["UGX", 300_000, "300000"],
    ["RWF", 100_000, "1000"]
  ] as const)
    it.live(`are asked for and credited in ${currency}`, () =>
      withStripe((standIn, provider) =>
        Effect.gen(function* () {
          const { standing } = yield* paid(standIn, provider, currency, amount_minor)
          const [asked] = standIn.of("POST", "/v1/checkout/sessions")
          assert.strictEqual(asked?.form.get("line_items[0][price_data][unit_amount]"), sent)
          assert.strictEqual(asked?.form.get("line_items[0][price_data][currency]"), currency.toLowerCase())
          assert.deepInclude(yield* standing, { _tag: "Paid", amount_minor, currency, taken_back_minor: 0 })
        })
      )
    )
})

describe("a payment page", () => {
  it.live("is of one top-up, takes cards in the wallet's currency, and lives an hour", () =>
    withStripe((standIn, { push }) =>
      Effect.gen(function* () {
        const pushed = yield* push(request("KES", 50_000))
        const { id, url } = standIn.sessionOf(topup_id)
        const expires_at = (Math.floor(created_at / 1000) + 3_600) * 1000
        assert.deepStrictEqual(pushed, { _tag: "Accepted", request_id: id, page: { url, expires_at } })
        const form = Object.fromEntries(standIn.of("POST", "/v1/checkout/sessions")[0]!.form)
        assert.deepInclude(form, {
          mode: "payment",
          "allowed_payment_method_types[0]": "card",
          "adaptive_pricing[enabled]": "false",
          client_reference_id: topup_id,
          "payment_intent_data[metadata][topup_id]": topup_id,
          success_url: "https://api.example.com/v1/ingest/card/return"
        })
      })
    )
  )

  it.live("is made once, although the first answer was lost", () =>
    withStripe((standIn, { push }) =>
      Effect.gen(function* () {
        standIn.next = ["cut", "cut"]
        assert.strictEqual((yield* Effect.flip(push(request("KES", 50_000))))._tag, "ProviderUnanswered")
        assert.strictEqual((yield* push(request("KES", 50_000)))._tag, "Accepted")
        assert.strictEqual(standIn.sessions.size, 1)
      })
    )
  )

  it.live("is refused with the reason, without Stripe's words", () =>
    withStripe((standIn, { push }) =>
      Effect.gen(function* () {
        assert.deepInclude(yield* push(request("KES", 100_000_000)), { _tag: "Refused", code: "provider_limit" })
        standIn.next = [
          { status: 401, body: { error: { type: "invalid_request_error", message: "Invalid API Key: sk_test_***" } } }
        ]
        const refused = yield* push(request("KES", 50_000))
        assert.deepInclude(refused, { _tag: "Refused", code: "provider_misconfigured" })
        assert.notInclude(JSON.stringify(refused), "sk_test")
      })
    )
  )

  for (const status of [429, 500, 503])
    it.live(`may be asked for again after ${status}`, () =>
      withStripe((standIn, { push }) =>
        Effect.gen(function* () {
          const trouble = { status, body: { error: { type: "api_error", message: "" } } }
          standIn.next = [trouble, trouble]
          assert.strictEqual((yield* Effect.flip(push(request("KES", 50_000))))._tag, "ProviderUnanswered")
        })
      )
    )
})

describe("the standing of a payment", () => {
  it.live("is pending until it is paid, and failed once the page has expired", () =>
    withStripe((standIn, { push, query }) =>
      Effect.gen(function* () {
        yield* push(request("KES", 50_000))
        const { id } = standIn.sessionOf(topup_id)
        assert.deepStrictEqual(yield* query(request("KES", 50_000), id), { _tag: "Pending" })
        standIn.expire(topup_id)
        assert.deepInclude(yield* query(request("KES", 50_000), id), { _tag: "Failed", code: "expired" })
      })
    )
  )

  it.live("counts refunds and disputes, which come and go", () =>
    withStripe((standIn, provider) =>
      Effect.gen(function* () {
        const { standing } = yield* paid(standIn, provider, "RWF", 100_000)
        const takenBack = Effect.map(standing, (read) => (read._tag === "Paid" ? read.taken_back_minor : undefined))
        assert.strictEqual(yield* takenBack, 0)
        standIn.refund(topup_id, 400)
        assert.strictEqual(yield* takenBack, 40_000)
        for (const [status, expected] of [
          ["warning_needs_response", 40_000],
          ["needs_response", 100_000],
          ["under_review", 100_000],
          ["won", 40_000],
          ["lost", 100_000]
        ] as const) {
          standIn.dispute(topup_id, status)
          assert.strictEqual(yield* takenBack, expected, status)
        }
        standIn.dispute(topup_id, "won")
        standIn.refund(topup_id, 0)
        assert.strictEqual(yield* takenBack, 0, "the refund failed")
      })
    )
  )

  it.live("is pending on a page that the account does not know, and unknown while Stripe refuses the key", () =>
    withStripe((standIn, { query }) =>
      Effect.gen(function* () {
        assert.deepStrictEqual(yield* query(request("KES", 50_000), "cs_unknown"), { _tag: "Pending" })
        standIn.next = [{ status: 401, body: { error: { type: "invalid_request_error", message: "" } } }]
        assert.strictEqual((yield* Effect.flip(query(request("KES", 50_000), "cs_1")))._tag, "ProviderUnanswered")
      })
    )
  )

  it.live("is of this top-up alone", () =>
    withStripe((standIn, provider) =>
      Effect.gen(function* () {
        const { session } = yield* paid(standIn, provider)
        const other = { ...request("KES", 50_000), topup_id: topUpId("0190f5fe-7c00-7a00-8000-0000000000fe") }
        assert.deepStrictEqual(yield* provider.query(other, session.id), { _tag: "Pending" })
      })
    )
  )
})

describe("a notice", () => {
  const posted = ({ headers, payload }: ReturnType<StripeStandIn["event"]>) => ({
    headers,
    body: new TextEncoder().encode(payload)
  })

  it.live("leads to its top-up, whatever object it is about", () =>
    withStripe((standIn, provider, read) =>
      Effect.gen(function* () {
        const { session } = yield* paid(standIn, provider)
        const expected = { _tag: "Changed", topup_id, request_id: session.id } as const
        const about = [
          ["checkout.session.completed", session],
          ["charge.refunded", standIn.refund(topup_id, 10)],
          ["charge.dispute.created", standIn.dispute(topup_id, "needs_response")]
        ] as const
        for (const [type, object] of about)
          assert.deepStrictEqual(yield* read(posted(yield* signedNow(standIn, type, object))), expected, type)
      })
    )
  )

  it.live("concerns no top-up if the page is of another use of the account", () =>
    withStripe((standIn, _provider, read) =>
      Effect.gen(function* () {
        for (const object of [
          { object: "checkout.session", id: "cs_1", client_reference_id: "order 7" },
          { object: "checkout.session", id: "cs_1", client_reference_id: null },
          { object: "charge", payment_intent: "pi_unknown" },
          { object: "customer" },
          {}
        ])
          assert.deepStrictEqual(yield* read(posted(yield* signedNow(standIn, "x", object))), { _tag: "Unrelated" })
      })
    )
  )

  it.live("is forged without a recent signature over its very bytes", () =>
    withStripe((standIn, provider, read) =>
      Effect.gen(function* () {
        const { session } = yield* paid(standIn, provider)
        const event = (at: number, secret = webhookSecret) =>
          posted(standIn.event("checkout.session.completed", session, at, secret))
        const now = Date.now()
        assert.strictEqual((yield* read(event(now)))._tag, "Changed")
        assert.strictEqual((yield* read(event(now, "whsec_rolled")))._tag, "Changed")
        const good = event(now)
        const changedBody = new TextEncoder().encode(new TextDecoder().decode(good.body).replace("cs_", "cz_"))
        for (const bad of [
          event(now, "whsec_other"),
          event(now - 301_000),
          { ...good, headers: {} },
          { ...good, headers: { "stripe-signature": "t=1,v1=00" } },
          { ...good, body: changedBody }
        ])
          assert.deepStrictEqual(yield* read(bad), { _tag: "Forged" })
      })
    )
  )

  it.live("must be sent again while Stripe does not answer", () =>
    withStripe((standIn, provider, read) =>
      Effect.gen(function* () {
        yield* paid(standIn, provider)
        standIn.next = ["cut", "cut"]
        const notice = posted(yield* signedNow(standIn, "charge.refunded", standIn.refund(topup_id, 10)))
        assert.strictEqual((yield* Effect.flip(read(notice)))._tag, "ProviderUnanswered")
      })
    )
  )
})

it("no option of Stripe is printed with its secrets", () =>
  Effect.runPromise(
    Effect.scoped(
      Effect.map(stripeAt(new StripeStandIn()), (options) => {
        assert.isTrue(Redacted.isRedacted(options.secret_key))
        assert.notInclude(JSON.stringify(options), "hunter2")
      })
    )
  ))
