import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { MemoryJournal } from "../../../src/layers/journal/MemoryJournal.ts"
import { CardPayments } from "../../../src/domain/ports/money/PaymentProvider.ts"
import type { TopUpRecord } from "../../../src/domain/topups/TopUpRecord.ts"
import { FakeEngine, workspaces } from "../../support/FakeEngine.ts"
import { ask } from "../../support/HttpTester.ts"
import { callbackSecret, moneyEngine } from "../../support/MoneyEngine.ts"
import { ScriptedProvider } from "../../support/Payments.ts"
import type { TopUpId, WorkspaceId } from "../../../src/domain/BrandedIds.ts"
import { until, untilHolds } from "../../support/Until.ts"

type Options = Parameters<typeof moneyEngine>[1]
type Asking = Effect.Services<ReturnType<typeof ask>>

const served = <A, E>(
  test: (provider: ScriptedProvider, journal: MemoryJournal) => Effect.Effect<A, E, FakeEngine | Asking>,
  options: Options = {}
) =>
  Effect.flatMap(MemoryJournal.make, (journal) => {
    const provider = new ScriptedProvider()
    return Effect.provide(test(provider, journal), moneyEngine(journal, { mobileMoney: provider.layer, ...options }))
  })

const key = Effect.flatMap(FakeEngine, ({ mint }) => mint({ workspace_id: workspaces.other }))
const body = { provider: "mobilemoney", amount_minor: 50_000, currency: "KES", phone_e164: "+254700000089" }

const start = (change: Record<string, unknown> = {}, headers: Record<string, string> = {}) =>
  Effect.flatMap(key, (key) => ask({ path: "/v1/topups", key, headers, body: { ...body, ...change } }))

const operator = { headers: { cookie: "session=operator" } }

/** What the provider posts, in its own words (Daraja documentation). */
const stk = (ResultCode: number, receipt = "NLJ7RT61SV", Amount = 500) => ({
  Body: {
    stkCallback: {
      MerchantRequestID: "29115-34620561-1",
      CheckoutRequestID: "ws_CO_191220191020363925",
      ResultCode,
      ResultDesc: ResultCode === 0 ? "The service request is processed successfully." : "Request cancelled by user",
      ...(ResultCode === 0 && {
        CallbackMetadata: {
          Item: [
            { Name: "Amount", Value: Amount },
            { Name: "MpesaReceiptNumber", Value: receipt },
            { Name: "Balance" },
            { Name: "TransactionDate", Value: 20_191_219_102_115 },
            { Name: "PhoneNumber", Value: 254_708_374_149 }
          ]
        }
      })
    }
  }
})
const c2b = (BillRefNumber: string, TransID = "RKTQDM7W6S") => ({
  TransactionType: "Pay Bill",
  TransID,
  TransTime: "20191122063845",
  TransAmount: "10.00",
  BusinessShortCode: "600638",
  BillRefNumber,
  InvoiceNumber: "",
  OrgAccountBalance: "",
  ThirdPartyTransID: "",
  MSISDN: "25470****149",
  FirstName: "John"
})

const post = (path: string, document: unknown, secret = callbackSecret) =>
  ask({ path: `/v1/ingest/mobilemoney/${path.replace("SECRET", secret)}`, body: document })

/** The provider is answered when it is on disk; what follows is a matter of moments. */
const untilStatus = (topup_id: TopUpId, status: string) => {
  const look = Effect.flatMap(key, (key) => ask({ path: `/v1/topups/${topup_id}`, key }))
  const record = Effect.map(look, ({ body }) => body as TopUpRecord)
  return until(`top-up that is ${status}`, record, (seen) => seen.status === status, { every_ms: 5 })
}

describe("POST /v1/topups", () => {
  it.live("prompts the phone once per Idempotency-Key and returns the pending top-up", () =>
    served((provider, { tables }) =>
      Effect.gen(function* () {
        const first = yield* start({}, { "idempotency-key": "a" })
        assert.strictEqual(first.status, 201)
        const record = first.body as TopUpRecord
        assert.deepInclude(record, {
          status: "pending",
          provider: "mobilemoney",
          amount_minor: 50_000,
          phone_e164: "+254700000089",
          failure_code: null
        })
        assert.strictEqual(Date.parse(record.expires_at) - Date.parse(record.created_at), 300_000)
        assert.strictEqual(first.headers.get("location"), `/v1/topups/${record.topup_id}`)
        const again = yield* start({}, { "idempotency-key": "a" })
        assert.deepStrictEqual([again.text, again.headers.get("idempotent-replayed")], [first.text, "true"])
        assert.strictEqual(provider.pushes.length, 1)
        assert.deepInclude(provider.pushes[0], { amount_minor: 50_000, account_ref: record.mobilemoney_account_ref })
        assert.deepInclude(tables.audit[0], { action_kind: "wallet.topup_started", target_id: record.topup_id })
      })
    )
  )

  it.live("refuses with the code of each reason", () =>
    served((provider) =>
      Effect.gen(function* () {
        const refusals: ReadonlyArray<readonly [Record<string, unknown>, number, string, string?]> = [
          [{ provider: "cash" }, 422, "cardprovider.unavailable"],
          [{ provider: "manual" }, 422, "cardprovider.unavailable"],
          [{ provider: "" }, 422, "cardprovider.unavailable"],
          [{ provider: 7 }, 400, "validation.bad_request"],
          [{ provider: "x".repeat(65) }, 400, "validation.bad_request"],
          [{ phone_e164: undefined }, 400, "validation.bad_request"],
          [{ phone_e164: "0700000089" }, 400, "validation.bad_request"],
          [{ amount_minor: 1.5 }, 400, "validation.bad_request"],
          [{ currency: "USD" }, 422, "currency.unsupported"],
          [{ currency: "UGX" }, 422, "wallet.currency_mismatch"],
          [{ amount_minor: -100 }, 422, "wallet.invalid_amount"],
          [{ amount_minor: 50_050 }, 422, "wallet.invalid_amount", "not_whole_unit"],
          [{ amount_minor: 9_900 }, 422, "wallet.topup_below_minimum"],
          [{ amount_minor: 25_000_100 }, 422, "topup.limit_exceeded"]
        ]
        for (const [change, status, code, reason] of refusals) {
          const answer = yield* start(change)
          assert.deepStrictEqual([answer.status, answer.code], [status, code], JSON.stringify(change))
          assert.strictEqual((answer.body as { error: { reason?: string } }).error.reason, reason)
        }
        const nobody = yield* Effect.flatMap(FakeEngine, ({ mint }) => mint())
        assert.strictEqual((yield* ask({ path: "/v1/topups", key: nobody, body })).code, "wallet.not_found")
        assert.strictEqual(provider.pushes.length, 0)
        provider.pushed = { _tag: "Refused", code: "provider_error", message: "Bad Request - Invalid PhoneNumber" }
        const { body: refused, code, status } = yield* start()
        assert.deepStrictEqual([status, code], [502, "topup.provider_failed"])
        assert.include(JSON.stringify(refused), "Invalid PhoneNumber")
        provider.pushed = { _tag: "Refused", code: "payer_busy", message: "locked" }
        assert.strictEqual((yield* start({ phone_e164: "+254700000001" })).code, "topup.push_in_progress")
      })
    )
  )

  it.live("is refused if no payment provider is configured", () =>
    Effect.andThen(
      served(
        () =>
          Effect.gen(function* () {
            assert.strictEqual(
              (yield* start({ currency: "UGX", amount_minor: 300_000 })).code,
              "mobilemoney.unavailable"
            )
            const card = yield* start({ provider: "card", currency: "UGX", amount_minor: 300_000 })
            assert.deepStrictEqual([card.status, (card.body as TopUpRecord).provider], [201, "card"])
          }),
        { currency: "UGX" }
      ),
      served(
        () =>
          Effect.gen(function* () {
            assert.strictEqual((yield* start({ provider: "card" })).code, "cardprovider.unavailable")
          }),
        { cards: CardPayments.none }
      )
    )
  )

  it.live("is allowed for members, six times a minute, with one prompt per phone at a time", () =>
    served(() =>
      Effect.gen(function* () {
        const { mint } = yield* FakeEngine
        const limited = yield* mint({ workspace_id: workspaces.other, unlimited: false })
        const codes: Array<string | undefined> = []
        for (let n = 0; n < 7; n++)
          codes.push(
            (yield* ask({
              path: "/v1/topups",
              key: limited,
              body: { ...body, phone_e164: `+25470000001${Math.min(n, 5)}` }
            })).code
          )
        assert.deepStrictEqual(codes, [
          undefined,
          undefined,
          undefined,
          undefined,
          undefined,
          undefined,
          "rate_limited"
        ])
        const taken = yield* start({ phone_e164: "+254700000015" })
        assert.deepStrictEqual([taken.status, taken.code], [409, "topup.push_in_progress"])
        assert.isNotNull(taken.headers.get("retry-after"))
        const viewer = yield* ask({ path: "/v1/topups", body, headers: { cookie: "session=viewer" } })
        assert.strictEqual(viewer.code, "accounts.write_denied")
      })
    )
  )
})

describe("GET /v1/topups", () => {
  it.live("lists top-ups with masked phones, shows one in full, and finds none of other workspaces", () =>
    served(() =>
      Effect.gen(function* () {
        const { topup_id } = (yield* start()).body as TopUpRecord
        yield* start({ phone_e164: "+254700000021" })
        const mine = yield* key
        const rows = yield* ask({ path: "/v1/topups?limit=1", key: mine })
        assert.deepStrictEqual(
          (rows.body as ReadonlyArray<TopUpRecord>).map(({ phone_e164 }) => phone_e164),
          ["+2547******21"]
        )
        const next = yield* ask({ path: `/v1/topups?limit=1&cursor=${rows.headers.get("x-next-cursor")}`, key: mine })
        assert.deepStrictEqual(
          (next.body as ReadonlyArray<TopUpRecord>).map((record) => [record.topup_id, record.phone_e164]),
          [[topup_id, "+2547******89"]]
        )
        assert.deepStrictEqual((yield* ask({ path: "/v1/topups?status=succeeded", key: mine })).body, [])
        assert.strictEqual((yield* ask({ path: "/v1/topups?status=paid", key: mine })).code, "validation.bad_request")
        assert.deepInclude((yield* ask({ path: `/v1/topups/${topup_id}`, key: mine })).body, {
          phone_e164: "+254700000089"
        })
        const foreign = yield* (yield* FakeEngine).mint()
        assert.deepStrictEqual((yield* ask({ path: `/v1/topups/${topup_id}`, key: foreign })).code, "topup.not_found")
        assert.strictEqual((yield* ask({ path: "/v1/topups/x", key: mine })).code, "topup.not_found")
      })
    )
  )
})

describe("a notice of the provider", () => {
  it.live("of a payment credits it once, even if it arrives twice", () =>
    served((_, { tables }) =>
      Effect.gen(function* () {
        const { topup_id } = (yield* start()).body as TopUpRecord
        for (let n = 0; n < 2; n++) {
          const { body, status } = yield* post(`stk/SECRET/${topup_id}`, stk(0))
          assert.deepStrictEqual([status, body], [200, { ResultCode: "0", ResultDesc: "Accepted" }])
        }
        assert.deepInclude(yield* untilStatus(topup_id, "succeeded"), {
          status: "succeeded",
          provider_reference: "NLJ7RT61SV",
          amount_minor: 50_000
        })
        assert.strictEqual(tables.ledger.filter(({ reference_id }) => reference_id === topup_id).length, 1)
      })
    )
  )

  it.live("of a refusal ends the prompt as failed", () =>
    served(() =>
      Effect.gen(function* () {
        const { topup_id } = (yield* start()).body as TopUpRecord
        yield* post(`stk/SECRET/${topup_id}`, stk(1032))
        assert.deepInclude(yield* untilStatus(topup_id, "failed"), { failure_code: "cancelled_by_user" })
      })
    )
  )

  it.live("can ask whether a reference is known and confirm payments with it", () =>
    served((_, { tables }) =>
      Effect.gen(function* () {
        const { mobilemoney_account_ref: ref } = (yield* start()).body as TopUpRecord
        assert.deepStrictEqual((yield* post("c2b/validation/SECRET", c2b(ref))).body, {
          ResultCode: "0",
          ResultDesc: "Accepted"
        })
        assert.deepInclude((yield* post("c2b/validation/SECRET", c2b("invoice008"))).body, { ResultCode: "C2B00012" })
        assert.deepInclude((yield* post("c2b/validation/SECRET", { nothing: 1 })).body, { ResultCode: "C2B00012" })
        yield* post("c2b/confirmation/SECRET", c2b(ref))
        yield* post("c2b/confirmation/SECRET", c2b("invoice008", "RKTQDM7W6T"))
        yield* untilHolds("third entry of the ledger", () => tables.ledger.length >= 3)
        assert.deepStrictEqual(
          tables.ledger
            .slice(1)
            .map(({ amount_minor, kind }) => [kind, amount_minor])
            .toSorted(),
          [
            ["suspense", 1_000],
            ["topup", 1_000]
          ]
        )
        const { body: waiting } = yield* ask({ ...operator, path: "/v1/admin/payins" })
        assert.deepInclude((waiting as ReadonlyArray<object>)[0], {
          id: "RKTQDM7W6T",
          amount_minor: 1_000,
          account_ref: "invoice008"
        })
        const release = (receipt: string, workspace_id: WorkspaceId) =>
          ask({ ...operator, path: `/v1/admin/payins/${receipt}/release`, body: { workspace_id } })
        assert.strictEqual((yield* release("RKTQDM7W6T", workspaces.active)).code, "wallet.not_found")
        assert.deepInclude((yield* release("RKTQDM7W6T", workspaces.other)).body, {
          provider: "manual",
          status: "succeeded"
        })
        const again = yield* release("RKTQDM7W6T", workspaces.other)
        assert.deepStrictEqual([again.status, again.code], [404, "topup.not_found"])
        assert.deepStrictEqual((yield* ask({ ...operator, path: "/v1/admin/payins" })).body, [])
      })
    )
  )

  it.live("is not found without the secret or from another address", () =>
    Effect.andThen(
      served((_, { tables }) =>
        Effect.gen(function* () {
          for (const path of [
            "stk/SECRET/0190f5fe-7c00-7a00-8000-0000000000ff",
            "c2b/validation/SECRET",
            "c2b/confirmation/SECRET"
          ]) {
            assert.deepStrictEqual((yield* post(path, c2b("x"), "guessed")).code, "not_found")
          }
          assert.strictEqual(
            (yield* ask({ path: `/v1/ingest/mobilemoney/c2b/validation/${callbackSecret}` })).code,
            "method_not_allowed"
          )
          assert.strictEqual((yield* post("c2b/confirmation/SECRET", "{")).code, "validation.bad_request")
          assert.strictEqual((yield* post("c2b/confirmation/SECRET", { ...c2b("x"), TransAmount: "-1" })).status, 200)
          assert.strictEqual(tables.ledger.length, 1)
        })
      ),
      served(
        () =>
          Effect.gen(function* () {
            assert.strictEqual((yield* post("c2b/confirmation/SECRET", c2b("x"))).code, "not_found")
          }),
        { sources: ["196.201.214.200"] }
      )
    )
  )
})

describe("an operator's reversal", () => {
  it.live("debits a succeeded top-up", () =>
    served(() =>
      Effect.gen(function* () {
        const { topup_id } = (yield* start()).body as TopUpRecord
        const reverse = (id: string, note = "Charged back") =>
          ask({ ...operator, path: `/v1/admin/topups/${id}/reverse`, body: { note } })
        assert.strictEqual((yield* reverse(topup_id)).code, "topup.not_found")
        yield* post(`stk/SECRET/${topup_id}`, stk(0))
        yield* untilStatus(topup_id, "succeeded")
        assert.deepInclude((yield* reverse(topup_id)).body, { status: "reversed", topup_id })
        assert.strictEqual((yield* reverse("x")).code, "topup.not_found")
        assert.strictEqual((yield* reverse(topup_id, "")).code, "validation.bad_request")
        const balance = yield* Effect.flatMap(key, (key) => ask({ path: "/v1/wallet/statements", key }))
        assert.deepStrictEqual((balance.body as ReadonlyArray<{ kind: string }>).map(({ kind }) => kind).slice(0, 2), [
          "topup_reversal",
          "topup"
        ])
      })
    )
  )
})
