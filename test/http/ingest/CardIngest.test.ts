// A card top-up over HTTP: the payment page, signed webhooks, refunds and disputes, against a server that speaks as
// Stripe documents.
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import type { TopUpRecord } from "../../../src/domain/topups/TopUpRecord.ts"
import type { Currency } from "../../../src/domain/wallet/Currency.ts"
import * as StripeCards from "../../../src/layers/card/stripe/StripeCards.ts"
import * as StripeNotices from "../../../src/layers/card/stripe/StripeNotices.ts"
import { MemoryJournal } from "../../../src/layers/journal/MemoryJournal.ts"
import { FakeEngine, workspaces } from "../../support/FakeEngine.ts"
import { ask } from "../../support/HttpTester.ts"
import { moneyEngine } from "../../support/MoneyEngine.ts"
import { StripeStandIn, stripeAt } from "../../support/StripeStandIn.ts"
import { until, untilHolds } from "../../support/Until.ts"

type Asking = Effect.Services<ReturnType<typeof ask>>

const served = <A, E>(
  test: (standIn: StripeStandIn, journal: MemoryJournal) => Effect.Effect<A, E, FakeEngine | Asking>,
  currency: Currency = "KES"
) =>
  Effect.gen(function* () {
    const standIn = new StripeStandIn()
    const options = yield* stripeAt(standIn)
    const journal = yield* MemoryJournal.make
    const engine = moneyEngine(journal, {
      cards: StripeCards.layer(options),
      cardNotices: StripeNotices.layer(options),
      currency
    })
    return yield* Effect.provide(test(standIn, journal), engine)
  }).pipe(Effect.scoped)

const key = Effect.flatMap(FakeEngine, ({ mint }) => mint({ workspace_id: workspaces.other }))
const body = { provider: "card", amount_minor: 50_000, currency: "KES" }

const start = (change: Partial<typeof body> = {}, headers: Record<string, string> = {}) =>
  Effect.flatMap(key, (key) => ask({ path: "/v1/topups", key, headers, body: { ...body, ...change } }))

const started = Effect.map(start(), (answer) => answer.body as TopUpRecord)

const topUp = (id: string) =>
  Effect.flatMap(key, (key) => Effect.map(ask({ path: `/v1/topups/${id}`, key }), ({ body }) => body as TopUpRecord))

const untilTopUp = (id: string, done: (record: TopUpRecord) => boolean) =>
  until("such a top-up", topUp(id), done, { every_ms: 5 })

const balance = Effect.flatMap(key, (key) =>
  Effect.map(
    ask({ path: "/v1/wallet/balance", key }),
    (answer) => (answer.body as { balance_minor: number }).balance_minor
  )
)

const post = (standIn: StripeStandIn, type: string, object: object, at = Date.now()) => {
  const { headers, payload } = standIn.event(type, object, at)
  return ask({ path: "/v1/ingest/card", method: "POST", headers, body: payload })
}

describe("a top-up by card", () => {
  it.live("has a page to pay on, and is credited once when Stripe says that it was paid", () =>
    served((standIn) =>
      Effect.gen(function* () {
        const answer = yield* start()
        assert.strictEqual(answer.status, 201)
        const record = answer.body as TopUpRecord
        const { url } = standIn.sessionOf(record.topup_id)
        assert.deepInclude(record, { status: "pending", payment_url: url, reversed_minor: 0 })
        const session = standIn.pay(record.topup_id)
        const answers = yield* Effect.forEach([1, 2, 3], () => post(standIn, "checkout.session.completed", session), {
          concurrency: "unbounded"
        })
        assert.deepStrictEqual(
          answers.map(({ status }) => status),
          [200, 200, 200]
        )
        const done = yield* untilTopUp(record.topup_id, ({ status }) => status === "succeeded")
        assert.deepInclude(done, { provider_reference: session.payment_intent!.id, payment_url: null })
        yield* post(standIn, "checkout.session.completed", session)
        assert.strictEqual(yield* balance, 51_000)
      })
    )
  )

  it.live("follows refunds and disputes, in part and as a whole, there and back", () =>
    served((standIn, journal) =>
      Effect.gen(function* () {
        const { topup_id } = yield* started
        const session = standIn.pay(topup_id)
        // The first notice of all is that of a refund.
        yield* post(standIn, "charge.refunded", standIn.refund(topup_id, 20_000))
        yield* untilTopUp(topup_id, ({ reversed_minor, status }) => reversed_minor === 20_000 && status === "succeeded")
        assert.strictEqual(yield* balance, 31_000)
        yield* post(standIn, "checkout.session.completed", session)
        yield* post(standIn, "charge.dispute.created", standIn.dispute(topup_id, "needs_response"))
        yield* untilTopUp(topup_id, ({ status }) => status === "reversed")
        assert.strictEqual(yield* balance, 1_000)
        yield* post(standIn, "charge.dispute.closed", standIn.dispute(topup_id, "won"))
        yield* untilTopUp(topup_id, ({ reversed_minor, status }) => reversed_minor === 20_000 && status === "succeeded")
        assert.strictEqual(yield* balance, 31_000)
        assert.deepStrictEqual(
          journal.tables.ledger.slice(1).map(({ amount_minor, kind }) => [kind, amount_minor]),
          [
            ["topup", 50_000],
            ["topup_reversal", -20_000],
            ["topup_reversal", -30_000],
            ["topup", 30_000]
          ]
        )
        const kinds = journal.tables.events.map(({ kind }) => kind).filter((kind) => kind.startsWith("topup."))
        assert.deepStrictEqual(kinds, ["topup.succeeded", "topup.reversed", "topup.reversed", "topup.succeeded"])
      })
    )
  )

  it.live("is debited once if an operator enters what Stripe then says too", () =>
    served((standIn) =>
      Effect.gen(function* () {
        const { topup_id } = yield* started
        yield* post(standIn, "checkout.session.completed", standIn.pay(topup_id))
        yield* untilTopUp(topup_id, ({ status }) => status === "succeeded")
        const path = `/v1/admin/topups/${topup_id}/reverse`
        const headers = { cookie: "session=operator" }
        const reversed = yield* ask({ path, method: "POST", headers, body: { note: "Charged back" } })
        assert.deepInclude(reversed.body as TopUpRecord, { status: "reversed", reversed_minor: 50_000 })
        const refund = standIn.refund(topup_id, 50_000)
        // Stripe is asked about the second notice once the first one is dealt with.
        for (const notice of ["first", "second"]) {
          const asked = standIn.asked.length
          yield* post(standIn, "charge.refunded", refund)
          yield* untilHolds(`question to Stripe about the ${notice} notice`, () => standIn.asked.length > asked)
        }
        assert.deepInclude(yield* topUp(topup_id), { status: "reversed", reversed_minor: 50_000 })
        assert.strictEqual(yield* balance, 1_000)
      })
    )
  )

  it.live("fails if its page expires, or if it is paid in another currency", () =>
    served((standIn) =>
      Effect.gen(function* () {
        const first = yield* started
        yield* post(standIn, "checkout.session.expired", standIn.expire(first.topup_id))
        assert.deepInclude(yield* untilTopUp(first.topup_id, ({ status }) => status === "failed"), {
          failure_code: "expired",
          payment_url: null
        })
        const second = yield* started
        yield* post(standIn, "checkout.session.completed", standIn.pay(second.topup_id, "usd"))
        assert.deepInclude(yield* untilTopUp(second.topup_id, ({ status }) => status === "failed"), {
          failure_code: "provider_error"
        })
        assert.strictEqual(yield* balance, 1_000)
      })
    )
  )

  it.live("is credited in whole units of a currency that Stripe writes with decimals all the same", () =>
    served(
      (standIn) =>
        Effect.gen(function* () {
          const odd = yield* start({ currency: "UGX", amount_minor: 300_050 })
          assert.deepStrictEqual([odd.status, odd.code], [422, "wallet.invalid_amount"])
          const record = (yield* start({ currency: "UGX", amount_minor: 300_000 })).body as TopUpRecord
          yield* post(standIn, "checkout.session.completed", standIn.pay(record.topup_id))
          yield* untilTopUp(record.topup_id, ({ status }) => status === "succeeded")
          assert.strictEqual(yield* balance, 301_000)
        }),
      "UGX"
    )
  )

  it.live("is refused if Stripe makes no page, and may be repeated with its key", () =>
    served((standIn) =>
      Effect.gen(function* () {
        const headers = { "idempotency-key": "one" }
        standIn.next = [{ status: 400, body: { error: { type: "invalid_request_error", message: "no" } } }]
        assert.strictEqual((yield* start({}, headers)).code, "topup.provider_failed")
        const again = yield* start({}, headers)
        assert.strictEqual(again.status, 201)
        assert.deepStrictEqual((yield* start({}, headers)).body, again.body)
        assert.strictEqual(standIn.sessions.size, 1)
      })
    )
  )
})

describe("the webhook of the card provider", () => {
  it.live("refuses what is unsigned, old or too large, and takes what concerns no top-up", () =>
    served((standIn) =>
      Effect.gen(function* () {
        const { topup_id } = yield* started
        const session = standIn.pay(topup_id)
        const forged = yield* ask({ path: "/v1/ingest/card", method: "POST", body: { type: "x" } })
        assert.deepStrictEqual([forged.status, forged.code], [400, "validation.bad_request"])
        const old = yield* post(standIn, "checkout.session.completed", session, Date.now() - 600_000)
        assert.strictEqual(old.status, 400)
        const large = yield* ask({ path: "/v1/ingest/card", method: "POST", body: "x".repeat(300_000) })
        assert.strictEqual(large.status, 413)
        assert.strictEqual((yield* post(standIn, "customer.created", { object: "customer", id: "cus" })).status, 200)
        const stranger = { ...session, client_reference_id: "0190f5fe-7c00-7a00-8000-00000000dead" }
        assert.strictEqual((yield* post(standIn, "checkout.session.completed", stranger)).status, 200)
        assert.strictEqual((yield* topUp(topup_id)).status, "pending")
        assert.strictEqual((yield* ask({ path: "/v1/ingest/card" })).status, 405)
        assert.strictEqual((yield* ask({ path: "/v1/ingest/card/return" })).status, 200)
      })
    )
  )

  it.live("asks for a repetition while Stripe cannot say which top-up it is", () =>
    served((standIn) =>
      Effect.gen(function* () {
        const { topup_id } = yield* started
        standIn.pay(topup_id)
        const refund = standIn.refund(topup_id, 50_000)
        standIn.next = ["cut", "cut"]
        assert.strictEqual((yield* post(standIn, "charge.refunded", refund)).status, 503)
        assert.strictEqual((yield* post(standIn, "charge.refunded", refund)).status, 200)
        yield* untilTopUp(topup_id, ({ status }) => status === "reversed")
        assert.strictEqual(yield* balance, 1_000)
      })
    )
  )
})
