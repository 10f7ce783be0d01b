// The play money of sandboxes, and the books after it.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { sandboxBalanceMax_minor } from "../../../src/actors/topups/SandboxFunds.ts"
import type { Currency } from "../../../src/domain/wallet/Currency.ts"
import { checkInvariants } from "../../../src/layers/postgres/checks/Invariants.ts"
import { layerWith } from "../../support/Engine.ts"
import { ask } from "../../support/HttpTester.ts"
import { as, cookieOf, onboard, signedIn } from "../../support/People.ts"
import { startingBalance_minor } from "../../support/SandboxStart.ts"
import { until } from "../../support/Until.ts"

const suite = layer(layerWith({ RATE_LIMITS: "off" }), { excludeTestServices: true, timeout: 60_000 })

const began = startingBalance_minor("KES")

type Json = Readonly<Record<string, unknown>>

/** A new workspace with a key of each mode. */
const customer = Effect.fnUntraced(function* (email: string, currency: Currency = "KES") {
  const cookie = cookieOf(yield* onboard(yield* signedIn(email), `Of ${email}`, currency))
  const scopes = ["calls.read", "calls.write", "numbers.read", "numbers.write", "wallet.read", "wallet.write"]
  const mint = (env: string) =>
    Effect.map(
      as(cookie, { path: "/v1/api-keys", body: { label: env, scopes, env } }),
      ({ body }) => (body as { readonly key: string }).key
    )
  return { live: yield* mint("live"), test: yield* mint("test") }
})

const post = (path: string) => (key: string, body: unknown, idempotency_key?: string) =>
  ask({
    path,
    key,
    body,
    ...(idempotency_key !== undefined && { headers: { "idempotency-key": idempotency_key } })
  })

const credit = post("/v1/sandbox/credits")
const payIn = post("/v1/sandbox/payins")

const balance = (key: string) =>
  Effect.map(ask({ path: "/v1/wallet/balance", key }), ({ body }) => (body as Json)["balance_minor"])

const reference = (key: string) =>
  Effect.map(ask({ path: "/v1/wallet/payin-reference", key }), ({ body }) =>
    String((body as Json)["mobilemoney_account_ref"])
  )

/** What is no amount, or no body. */
const bad = [
  ...[0, -1, 1.5, "100", null, true, 2 ** 53, Number.MIN_SAFE_INTEGER].map((amount_minor) => ({ amount_minor })),
  {},
  [],
  '{"amount_minor":1e400}'
]

suite("the credits of a sandbox", (it) => {
  it.effect("add money up to the limit, and nothing to the live wallet", () =>
    Effect.gen(function* () {
      const { live, test } = yield* customer("credits@example.com")
      const max = sandboxBalanceMax_minor("KES")
      const first = yield* credit(test, { amount_minor: max - 1 - began })
      assert.deepStrictEqual([first.status, first.body], [201, { balance_minor: max - 1, currency: "KES" }])
      const over = yield* credit(test, { amount_minor: 2 })
      assert.deepStrictEqual([over.status, over.code], [422, "wallet.invalid_amount"])
      assert.include(over.text, '"balance_limit"')
      assert.strictEqual((yield* credit(test, { amount_minor: 1 })).status, 201)
      assert.strictEqual((yield* credit(test, { amount_minor: 1 })).code, "wallet.invalid_amount")
      assert.deepStrictEqual([yield* balance(test), yield* balance(live)], [max, 0])
    })
  )

  it.effect("count once for one Idempotency-Key, at the limit too, and in as many requests at once as may be", () =>
    Effect.gen(function* () {
      const { test } = yield* customer("repeated@example.com")
      const max = sandboxBalanceMax_minor("KES")
      const answers = yield* Effect.all(
        Array.from({ length: 8 }, () => credit(test, { amount_minor: max - began }, "once")),
        { concurrency: "unbounded" }
      )
      for (const { body, code, status } of answers) {
        if (code === "idempotency.in_progress") continue
        assert.deepStrictEqual([status, body], [201, { balance_minor: max, currency: "KES" }])
      }
      const again = yield* credit(test, { amount_minor: max - began }, "once")
      assert.deepStrictEqual([again.status, again.body], [201, { balance_minor: max, currency: "KES" }])
      assert.strictEqual((yield* credit(test, { amount_minor: 1 }, "once")).code, "idempotency.conflict")
      assert.strictEqual(yield* balance(test), max)
    })
  )

  it.effect("are refused to a live key, and in amounts that are none", () =>
    Effect.gen(function* () {
      const { live, test } = yield* customer("refused@example.com")
      const refused = yield* credit(live, { amount_minor: 1 })
      assert.deepStrictEqual([refused.status, refused.code], [403, "api_key.test_mode_required"])
      for (const body of bad) {
        const { code, status } = yield* credit(test, body)
        assert.deepStrictEqual([status, code], [400, "validation.bad_request"], JSON.stringify(body))
      }
      assert.deepStrictEqual([yield* balance(test), yield* balance(live)], [began, 0])
    })
  )

  it.effect("are in the currency of the workspace, with its limit", () =>
    Effect.gen(function* () {
      const { test } = yield* customer("rwf@example.com", "RWF")
      const max = sandboxBalanceMax_minor("RWF") - startingBalance_minor("RWF")
      assert.strictEqual((yield* credit(test, { amount_minor: max + 1 })).code, "wallet.invalid_amount")
      const { body } = yield* credit(test, { amount_minor: max })
      assert.deepStrictEqual(body, { balance_minor: sandboxBalanceMax_minor("RWF"), currency: "RWF" })
    })
  )
})

suite("the payments by hand of a sandbox", (it) => {
  it.effect("become one top-up each, once for one Idempotency-Key", () =>
    Effect.gen(function* () {
      const { live, test } = yield* customer("payins@example.com")
      const paid = yield* payIn(test, { amount_minor: 700 }, "once")
      assert.strictEqual(paid.status, 201)
      assert.deepInclude(paid.body as Json, { status: "succeeded", amount_minor: 700, currency: "KES" })
      const again = yield* payIn(test, { amount_minor: 700 }, "once")
      assert.deepStrictEqual([again.status, again.body], [201, paid.body])
      assert.strictEqual((yield* payIn(test, { amount_minor: 701 }, "once")).code, "idempotency.conflict")
      assert.strictEqual(yield* balance(test), began + 700)
      const own = yield* reference(test)
      const written = ` ${own.toLowerCase()} `
      assert.strictEqual((yield* payIn(test, { amount_minor: 300, account_ref: written })).status, 201)
      assert.deepStrictEqual([yield* balance(test), yield* balance(live)], [began + 1_000, 0])
    })
  )

  it.effect("are refused to a live key, in amounts that are none, and with the reference of another wallet", () =>
    Effect.gen(function* () {
      const { live, test } = yield* customer("refused-payins@example.com")
      const refused = yield* payIn(live, { amount_minor: 1 })
      assert.deepStrictEqual([refused.status, refused.code], [403, "api_key.test_mode_required"])
      for (const body of [
        ...bad,
        { amount_minor: 1, account_ref: yield* reference(live) },
        { amount_minor: 1, account_ref: "" },
        { amount_minor: 1, account_ref: "x".repeat(65) }
      ]) {
        const { code, status } = yield* payIn(test, body)
        assert.deepStrictEqual([status, code], [400, "validation.bad_request"], JSON.stringify(body))
      }
      assert.deepStrictEqual([yield* balance(test), yield* balance(live)], [began, 0])
    })
  )

  it.effect("never raise the balance above what a wallet can hold", () =>
    Effect.gen(function* () {
      const { test } = yield* customer("much@example.com")
      for (const amount_minor of [Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER]) {
        const { code, status } = yield* payIn(test, { amount_minor })
        assert.deepStrictEqual([status, code], [422, "wallet.invalid_amount"])
      }
      assert.strictEqual(yield* balance(test), began)
      assert.strictEqual((yield* payIn(test, { amount_minor: 1 })).status, 201)
    })
  )

  it.effect("are in the currency of the workspace", () =>
    Effect.gen(function* () {
      const { test } = yield* customer("ugx@example.com", "UGX")
      const { body, status } = yield* payIn(test, { amount_minor: 5_000 })
      assert.strictEqual(status, 201)
      assert.deepInclude(body as Json, { amount_minor: 5_000, currency: "UGX" })
      assert.strictEqual(yield* balance(test), startingBalance_minor("UGX") + 5_000)
    })
  )
})

suite("the books of a sandbox", (it) => {
  it.effect("are sound after credits, payments, top-ups, a number and calls", () =>
    Effect.gen(function* () {
      const { test } = yield* customer("books@example.com")
      assert.strictEqual((yield* credit(test, { amount_minor: 1_000_000 })).status, 201)
      assert.strictEqual((yield* payIn(test, { amount_minor: 50_000 })).status, 201)
      const topup = { provider: "card", amount_minor: 60_000, currency: "KES" }
      assert.strictEqual((yield* ask({ path: "/v1/topups", key: test, body: topup })).status, 201)
      yield* until("balance with the top-up", balance(test), (minor) => minor === began + 1_110_000, { every_ms: 100 })
      const [offer] = (yield* ask({ path: "/v1/numbers/available", key: test })).body as ReadonlyArray<Json>
      const path = `/v1/numbers/${String(offer!["inventory_id"])}/claim`
      const number = (yield* ask({ path, key: test, method: "POST" })).body as Json
      const unfinished = Effect.map(ask({ path: "/v1/calls", key: test }), ({ body }) =>
        (body as ReadonlyArray<Json>).filter(({ status }) => status === "ringing" || status === "answered")
      )
      for (const to of ["+99900000002", "+99900000004", "+99900000026"]) {
        const placed = yield* post("/v1/calls/originate")(test, {
          to,
          from: number["number"],
          voice_callback_url: "http://127.0.0.1:9/voice"
        })
        assert.strictEqual(placed.status, 201, placed.text)
        yield* until("end of the call", unfinished, (calls) => calls.length === 0, { every_ms: 100 })
      }
      assert.lengthOf((yield* ask({ path: "/v1/calls", key: test })).body as ReadonlyArray<Json>, 3)
      assert.deepStrictEqual(
        (yield* checkInvariants).filter(({ count }) => count > 0),
        []
      )
      assert.strictEqual(yield* balance(test), began + 1_110_000 - 30_000)
    })
  )
})

suite("a payment by hand to a sandbox with an open prompt of its amount", (it) => {
  it.effect("counts for the prompt at once, as a real one does, and once for its Idempotency-Key", () =>
    Effect.gen(function* () {
      const { test } = yield* customer("prompted@example.com")
      // Nobody answers this prompt.
      const prompt = { provider: "mobilemoney", amount_minor: 70_000, currency: "KES", phone_e164: "+254700000064" }
      const started = yield* post("/v1/topups")(test, prompt)
      assert.strictEqual(started.status, 201, started.text)
      const { topup_id } = started.body as { readonly topup_id: string }
      const paid = yield* payIn(test, { amount_minor: 70_000 }, "by-hand")
      assert.strictEqual(paid.status, 201, paid.text)
      assert.deepInclude(paid.body as Json, { topup_id, status: "succeeded", provider: "mobilemoney" })
      assert.deepStrictEqual((yield* payIn(test, { amount_minor: 70_000 }, "by-hand")).body, paid.body)
      assert.strictEqual(yield* balance(test), began + 70_000)
      const other = yield* payIn(test, { amount_minor: 70_000 })
      assert.deepInclude(other.body as Json, { status: "succeeded", provider: "manual" })
      assert.strictEqual(yield* balance(test), began + 140_000)
    })
  )
})
