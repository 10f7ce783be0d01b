import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, type Layer } from "effect"
import { PaymentNotices } from "../../../src/actors/ingest/PaymentNotices.ts"
import { TopUps } from "../../../src/actors/topups/TopUps.ts"
import { Wallets } from "../../../src/actors/wallet/Wallets.ts"
import { systemOrigin } from "../../../src/domain/access/Origin.ts"
import type { IdempotentRequest } from "../../../src/domain/idempotency/IdempotentRequest.ts"
import type { MobileMoneyNotices } from "../../../src/domain/ports/MobileMoneyNotices.ts"
import type { MobileMoney } from "../../../src/domain/ports/PaymentProvider.ts"
import { IncomingPaymentReferences } from "../../../src/domain/ports/IncomingPaymentReferences.ts"
import type { TopUpRequest } from "../../../src/domain/topups/TopUpRecord.ts"
import { MemoryJournal } from "../../../src/layers/journal/MemoryJournal.ts"
import { paidIn, pass, payments, promptEnded, ScriptedProvider, settled, simulated } from "../../support/Payments.ts"

const workspace_id = "0190f5fe-7c00-7a00-8000-00000000000a"
const request: TopUpRequest = {
  provider: "mobilemoney",
  amount_minor: 50_000,
  currency: "KES",
  phone_e164: "+254700000010"
}
const origin = systemOrigin

type Provided<A, E> = Effect.Effect<A, E, Layer.Success<ReturnType<typeof payments>>>

const on = <A, E, LE>(
  journal: MemoryJournal,
  mobileMoney: Layer.Layer<MobileMoney | MobileMoneyNotices, LE>,
  test: Provided<A, E>
) =>
  Effect.provide(
    Effect.andThen(
      Effect.flatMap(Wallets, (wallets) => wallets.open(workspace_id, "KES")),
      test
    ),
    payments(journal, mobileMoney)
  )

const withProvider = <A, E>(test: (provider: ScriptedProvider, journal: MemoryJournal) => Provided<A, E>) =>
  Effect.gen(function* () {
    const journal = yield* MemoryJournal.make
    const provider = new ScriptedProvider()
    return yield* on(journal, provider.layer, test(provider, journal))
  })

/** Started, once time has passed as far as the provider's answer needs. */
const begin = (change: Partial<TopUpRequest> = {}, idempotency?: IdempotentRequest) =>
  Effect.gen(function* () {
    const topups = yield* TopUps
    const fiber = yield* Effect.forkChild(
      topups.start({ workspace_id, request: { ...request, ...change }, origin, idempotency })
    )
    yield* settled
    return yield* Fiber.join(fiber)
  })

const read = (topup_id: string) => Effect.flatMap(TopUps, ({ get }) => get(workspace_id, topup_id))
const ledger = ({ tables }: MemoryJournal) =>
  tables.ledger.map(({ amount_minor, kind, workspace_id }) => [kind, amount_minor, workspace_id === null])
const kinds = ({ tables }: MemoryJournal) => tables.events.map(({ kind }) => kind)
const paid = (receipt: string, amount_minor = 50_000) => ({ _tag: "Paid", receipt, amount_minor, paid_at: 0 }) as const

describe("a prompt to a simulated phone", () => {
  it.effect("is paid, and credited once although it is announced twice", () =>
    Effect.gen(function* () {
      const journal = yield* MemoryJournal.make
      yield* on(
        journal,
        simulated,
        Effect.gen(function* () {
          const { mobilemoney_account_ref, status, topup_id } = yield* begin()
          assert.strictEqual(status, "pending")
          assert.match(mobilemoney_account_ref, /^[0-9A-HJKMNP-TV-Z]{10}$/)
          yield* pass(40)
          const record = yield* read(topup_id)
          assert.deepInclude(record, { status: "succeeded", amount_minor: 50_000, failure_code: null })
          assert.match(record.provider_reference ?? "", /^S[0-9A-Z]{9}$/)
          assert.deepStrictEqual(ledger(journal), [["topup", 50_000, false]])
          assert.deepStrictEqual(journal.tables.ledger[0]!.lines[1], {
            account: "clearing:mobilemoney",
            amount_minor: -50_000
          })
          assert.deepStrictEqual(kinds(journal), ["topup.succeeded"])
          assert.strictEqual((yield* begin()).mobilemoney_account_ref, mobilemoney_account_ref)
        })
      )
    })
  )

  const ends = [
    ["32", "cancelled_by_user"],
    ["37", "payer_unreachable"],
    ["19", "expired"]
  ] as const
  for (const [digits, failure_code] of ends) {
    it.effect(`of a phone that ends in ${digits} fails as ${failure_code}`, () =>
      Effect.gen(function* () {
        const journal = yield* MemoryJournal.make
        yield* on(
          journal,
          simulated,
          Effect.gen(function* () {
            const { topup_id } = yield* begin({ phone_e164: `+2547000000${digits}` })
            yield* pass(10)
            assert.deepInclude(yield* read(topup_id), { status: "failed", failure_code })
            assert.deepStrictEqual([ledger(journal), kinds(journal)], [[], ["topup.failed"]])
          })
        )
      })
    )
  }

  it.effect("that is paid and never announced is found in the provider's list", () =>
    Effect.gen(function* () {
      const journal = yield* MemoryJournal.make
      yield* on(
        journal,
        simulated,
        Effect.gen(function* () {
          const { topup_id } = yield* begin({ phone_e164: "+254700000099" })
          yield* pass(14)
          assert.strictEqual((yield* read(topup_id)).status, "pending")
          yield* pass(60)
          assert.deepInclude(yield* read(topup_id), { status: "succeeded", provider: "mobilemoney" })
          assert.deepStrictEqual(ledger(journal), [["topup", 50_000, false]])
        })
      )
    })
  )
})

describe("the provider's word", () => {
  it.effect("is asked for four times, and after five minutes without it the prompt is over; late money counts", () =>
    withProvider((provider, journal) =>
      Effect.gen(function* () {
        const { topup_id } = yield* begin()
        const asked: Array<number> = []
        for (const seconds of [14, 1, 14, 1, 29, 1, 59, 1, 60]) {
          yield* pass(seconds)
          asked.push(provider.queries)
        }
        assert.deepStrictEqual(asked, [0, 1, 1, 2, 2, 3, 3, 4, 4])
        yield* pass(119)
        assert.strictEqual((yield* read(topup_id)).status, "pending")
        yield* pass(1)
        assert.deepInclude(yield* read(topup_id), { status: "expired", failure_code: "expired" })
        yield* promptEnded(topup_id, paid("LATE000001"))
        yield* settled
        assert.deepInclude(yield* read(topup_id), {
          status: "succeeded",
          provider_reference: "LATE000001",
          failure_code: null
        })
        assert.deepStrictEqual(kinds(journal), ["topup.failed", "topup.succeeded"])
      })
    )
  )

  it.effect("may come twice, and as success after the prompt's failure: then it is other money", () =>
    withProvider((_, journal) =>
      Effect.gen(function* () {
        const { topup_id } = yield* begin()
        yield* promptEnded(topup_id, { _tag: "Failed", code: "payer_unreachable", message: "" })
        yield* promptEnded(topup_id, { _tag: "Failed", code: "wrong_pin", message: "" })
        assert.deepInclude(yield* read(topup_id), { status: "failed", failure_code: "payer_unreachable" })
        for (let n = 0; n < 3; n++) yield* promptEnded(topup_id, paid("AAA0000001"))
        yield* pass(1)
        assert.strictEqual((yield* read(topup_id)).status, "failed")
        assert.deepStrictEqual(ledger(journal), [["topup", 50_000, false]])
      })
    )
  )

  it.effect("may be missing on the push itself: nobody is prompted twice, and the payment still counts", () =>
    withProvider((provider, journal) =>
      Effect.gen(function* () {
        provider.pushed = "unanswered"
        const topups = yield* TopUps
        const fiber = yield* Effect.forkChild(topups.start({ workspace_id, request, origin }))
        yield* pass(11)
        const { status, topup_id } = yield* Fiber.join(fiber)
        assert.deepStrictEqual([status, provider.pushes.length], ["pending", 1])
        yield* promptEnded(topup_id, paid("BBB0000001"))
        yield* settled
        assert.strictEqual((yield* read(topup_id)).status, "succeeded")
        assert.deepStrictEqual(ledger(journal), [["topup", 50_000, false]])
      })
    )
  )

  it.effect("can be a refusal: 502, and the same request with its key prompts anew", () =>
    withProvider((provider, journal) =>
      Effect.gen(function* () {
        const idempotency = { workspace_id, method: "POST", route: "/v1/topups", key: "k", fingerprint: "f" }
        provider.pushed = { _tag: "Refused", code: "provider_misconfigured", message: "Bad shortcode" }
        const refusal = yield* Effect.flip(begin({}, idempotency))
        assert.deepInclude(refusal, {
          _tag: "topup.provider_failed",
          message: "Bad shortcode",
          reason: "provider_misconfigured"
        })
        assert.strictEqual(journal.tables.idempotency.size, 0)
        provider.pushed = { _tag: "Accepted", request_id: "ws_CO_2" }
        const first = yield* begin({}, idempotency)
        assert.strictEqual(first.status, "pending")
        const kept = [...journal.tables.idempotency.values()][0]!
        assert.deepStrictEqual(
          [kept.status, JSON.parse(kept.body), kept.headers],
          [201, first, { location: `/v1/topups/${first.topup_id}` }]
        )
        assert.deepStrictEqual(
          yield* Effect.flip(begin({ phone_e164: "+254700000010" }, { ...idempotency, key: "k2" })).pipe(
            Effect.map(({ _tag }) => _tag)
          ),
          "topup.push_in_progress"
        )
        assert.strictEqual(provider.pushes.length, 2)
      })
    )
  )
})

describe("a phone", () => {
  it.effect("shows one prompt at a time, for a minute or until it is over", () =>
    withProvider((provider) =>
      Effect.gen(function* () {
        const { topup_id } = yield* begin()
        const refused = yield* Effect.flip(begin())
        assert.deepInclude(refused, { _tag: "topup.push_in_progress", retry_after_seconds: 60 })
        yield* begin({ phone_e164: "+254700000020" })
        yield* promptEnded(topup_id, { _tag: "Failed", code: "cancelled_by_user", message: "" })
        yield* begin()
        yield* pass(61)
        yield* begin()
        assert.strictEqual(provider.pushes.length, 4)
      })
    )
  )
})

describe("money paid in by hand", () => {
  const ref = Effect.flatMap(IncomingPaymentReferences, ({ of }) => of(workspace_id))

  it.effect(
    "reaches the wallet that its reference names, however it is written and however often it is announced",
    () =>
      withProvider((_, journal) =>
        Effect.gen(function* () {
          const news = yield* PaymentNotices
          const account_ref = yield* ref
          const spelled = ` ${account_ref.slice(0, 5).toLowerCase()}-${account_ref.slice(5)} `
          assert.isTrue(yield* news.accepts(spelled, "KES"))
          const payment = { receipt: "CCC0000001", amount_minor: 1_234, account_ref: spelled, paid_at: 0 }
          yield* paidIn(payment)
          yield* paidIn(payment)
          yield* settled
          yield* paidIn({ ...payment, amount_minor: 99_999 })
          yield* pass(1)
          assert.deepStrictEqual(ledger(journal), [["topup", 1_234, false]])
          const row = [...journal.tables.snapshots.values()].find(({ actor_type }) => actor_type === "TopUp")!
          assert.deepInclude(yield* read(row.actor_id), {
            provider: "manual",
            status: "succeeded",
            provider_reference: "CCC0000001",
            phone_e164: null
          })
          assert.deepStrictEqual(kinds(journal), ["topup.succeeded"])
        })
      )
  )

  it.effect("lies in suspense where nobody has its reference, until an operator says whose it is", () =>
    withProvider((_, journal) =>
      Effect.gen(function* () {
        const news = yield* PaymentNotices
        const topups = yield* TopUps
        assert.isFalse(yield* news.accepts("0000000001", "KES"))
        yield* paidIn({ receipt: "DDD0000001", amount_minor: 700, account_ref: "rent", paid_at: 0 })
        yield* settled
        assert.deepStrictEqual(ledger(journal), [["suspense", 700, true]])
        const fiber = yield* Effect.forkChild(topups.release("DDD0000001", workspace_id))
        yield* settled
        assert.deepInclude(yield* Fiber.join(fiber), { status: "succeeded", amount_minor: 700, provider: "manual" })
        assert.deepStrictEqual(ledger(journal), [
          ["suspense", 700, true],
          ["topup", 700, false]
        ])
        assert.deepStrictEqual(journal.tables.ledger[1]!.lines[1], { account: "suspense", amount_minor: -700 })
        assert.strictEqual((yield* Effect.flip(topups.release("DDD0000001", workspace_id)))._tag, "topup.not_found")
        assert.strictEqual((yield* Effect.flip(topups.release("XXX0000001", workspace_id)))._tag, "topup.not_found")
      })
    )
  )
})

describe("a payment of a prompt that the account announces too", () => {
  it.effect("waits for the prompt's own word, and is credited once", () =>
    withProvider((_, journal) =>
      Effect.gen(function* () {
        const { mobilemoney_account_ref: account_ref, topup_id: first } = yield* begin()
        const { topup_id: second } = yield* begin({ phone_e164: "+254700000020" })
        yield* paidIn({ receipt: "EEE0000002", amount_minor: 50_000, account_ref, paid_at: 0 })
        yield* pass(5)
        assert.deepStrictEqual(ledger(journal), [])
        yield* promptEnded(second, paid("EEE0000002"))
        yield* pass(30)
        assert.strictEqual((yield* read(first)).status, "pending")
        assert.deepInclude(yield* read(second), { status: "succeeded", provider_reference: "EEE0000002" })
        assert.deepStrictEqual(ledger(journal), [["topup", 50_000, false]])
      })
    )
  )

  it.effect("counts for the open prompt of its amount where that says nothing", () =>
    withProvider((_, journal) =>
      Effect.gen(function* () {
        const { mobilemoney_account_ref: account_ref, topup_id } = yield* begin()
        yield* paidIn({ receipt: "FFF0000001", amount_minor: 50_000, account_ref, paid_at: 0 })
        yield* pass(25)
        assert.deepInclude(yield* read(topup_id), { status: "succeeded", provider_reference: "FFF0000001" })
        // Its own word comes after all: nothing more is credited. Another receipt is other money.
        yield* promptEnded(topup_id, paid("FFF0000001"))
        yield* promptEnded(topup_id, paid("FFF0000002"))
        yield* pass(25)
        assert.deepStrictEqual(ledger(journal), [
          ["topup", 50_000, false],
          ["topup", 50_000, false]
        ])
      })
    )
  )
})

describe("a reversal", () => {
  it.effect("takes a succeeded top-up back, below zero if need be, once", () =>
    withProvider((_, journal) =>
      Effect.gen(function* () {
        const topups = yield* TopUps
        const wallets = yield* Wallets
        const { topup_id } = yield* begin()
        assert.strictEqual((yield* Effect.flip(topups.reverse(topup_id, "x", origin)))._tag, "topup.not_found")
        yield* promptEnded(topup_id, paid("GGG0000001"))
        yield* settled
        yield* wallets.debit(workspace_id, {
          entry_id: "spent",
          kind: "number_rental",
          amount_minor: 40_000,
          may_overdraw: false,
          reference_type: "number",
          reference_id: "n",
          description: "",
          origin
        })
        const fiber = yield* Effect.forkChild(
          Effect.all([topups.reverse(topup_id, "Charged back", origin), topups.reverse(topup_id, "again", origin)])
        )
        yield* settled
        assert.deepStrictEqual(
          (yield* Fiber.join(fiber)).map(({ status }) => status),
          ["reversed", "reversed"]
        )
        assert.deepStrictEqual(ledger(journal), [
          ["topup", 50_000, false],
          ["number_rental", -40_000, false],
          ["topup_reversal", -50_000, false]
        ])
        assert.deepStrictEqual(kinds(journal), [
          "topup.succeeded",
          "wallet.low_balance",
          "wallet.negative",
          "topup.reversed"
        ])
      })
    )
  )
})

describe("after a crash", () => {
  it.effect("a top-up goes on where it was: it asks, it credits, and it prompts nobody twice", () =>
    Effect.gen(function* () {
      const journal = yield* MemoryJournal.make
      const provider = new ScriptedProvider()
      provider.pushed = "never"
      yield* on(
        journal,
        provider.layer,
        Effect.gen(function* () {
          const topups = yield* TopUps
          yield* Effect.forkChild(topups.start({ workspace_id, request, origin }))
          yield* settled
          journal.crash()
        })
      )
      const [row] = [...journal.tables.snapshots.values()].filter(({ actor_type }) => actor_type === "TopUp")
      provider.pushed = { _tag: "Accepted", request_id: "again" }
      yield* on(
        journal,
        provider.layer,
        Effect.gen(function* () {
          yield* pass(5)
          assert.strictEqual(provider.pushes.length, 1)
          journal.failNext()
          yield* Effect.ignore(promptEnded(row!.actor_id, paid("HHH0000001")))
          yield* promptEnded(row!.actor_id, paid("HHH0000001"))
          journal.crash()
        })
      )
      yield* on(
        journal,
        provider.layer,
        Effect.gen(function* () {
          yield* pass(10)
          assert.deepInclude(yield* read(row!.actor_id), { status: "succeeded", provider_reference: "HHH0000001" })
          assert.deepStrictEqual(ledger(journal), [["topup", 50_000, false]])
        })
      )
    })
  )
})
