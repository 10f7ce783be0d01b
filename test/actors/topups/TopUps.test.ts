import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { TopUps } from "../../../src/actors/topups/TopUps.ts"
import { Wallets } from "../../../src/actors/wallet/Wallets.ts"
import { MemoryJournal } from "../../../src/layers/journal/MemoryJournal.ts"
import { pass, promptEnded, ScriptedProvider, settled, simulated } from "../../support/Payments.ts"
import {
  begin,
  kinds,
  ledger,
  on,
  origin,
  paid,
  read,
  request,
  withProvider,
  workspace_id
} from "../../support/TopUpScenario.ts"
import { topUpId } from "../../support/Ids.ts"

describe("a prompt to a simulated phone", () => {
  it.effect("is credited once although its payment is announced twice", () =>
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

  it.effect("is credited from the list of payments if it is never announced", () =>
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

describe("the outcome of a prompt", () => {
  it.effect("is queried four times; the prompt expires after five minutes, and a late payment still counts", () =>
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

  it.effect("may be announced twice; a success after a failure becomes a top-up of its own", () =>
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

  it.effect("may be unknown after the push: the payer is prompted once, and the payment still counts", () =>
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

  it.effect("may be a refusal: 502, and the same request with its key prompts again", () =>
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

  it.effect("is the same one for a day after a request with its key, and then a new one", () =>
    withProvider((provider, journal) =>
      Effect.gen(function* () {
        const idempotency = { workspace_id, method: "POST", route: "/v1/topups", key: "k", fingerprint: "f" }
        const day_s = 86_400
        /** The request, where no answer to it is stored: the engine died before, or a day has passed. */
        const again = Effect.suspend(() => {
          journal.tables.idempotency.clear()
          return begin({}, idempotency)
        })
        // Days of UTC begin and end in between.
        yield* pass(day_s * 0.7, 3_600)
        const { topup_id: first } = yield* again
        yield* pass(day_s * 0.6, 3_600)
        assert.strictEqual((yield* again).topup_id, first)
        yield* pass(day_s * 0.5, 3_600)
        const { status, topup_id: second } = yield* again
        assert.notStrictEqual(second, first)
        assert.strictEqual(status, "pending")
        yield* pass(day_s * 0.9, 3_600)
        assert.strictEqual((yield* again).topup_id, second)
        assert.strictEqual(provider.pushes.length, 2)
      })
    )
  )
})

describe("a phone", () => {
  it.effect("has one prompt at a time, for a minute or until the top-up is over", () =>
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

describe("a reversal", () => {
  it.effect("debits a succeeded top-up once, even below zero", () =>
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
  it.effect("a top-up continues without a second prompt", () =>
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
          yield* Effect.ignore(promptEnded(topUpId(row!.actor_id), paid("HHH0000001")))
          yield* promptEnded(topUpId(row!.actor_id), paid("HHH0000001"))
          journal.crash()
        })
      )
      yield* on(
        journal,
        provider.layer,
        Effect.gen(function* () {
          yield* pass(10)
          assert.deepInclude(yield* read(topUpId(row!.actor_id)), {
            status: "succeeded",
            provider_reference: "HHH0000001"
          })
          assert.deepStrictEqual(ledger(journal), [["topup", 50_000, false]])
        })
      )
    })
  )
})
