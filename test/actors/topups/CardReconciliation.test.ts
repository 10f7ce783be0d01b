// Refunds whose notices were lost: the engine asks the provider of cards what has changed.
import { assert, describe, it } from "@effect/vitest"
import { Clock, Effect, Fiber, Layer } from "effect"
import { TestClock } from "effect/testing"
import { TopUps } from "../../../src/actors/topups/TopUps.ts"
import { Wallets } from "../../../src/actors/wallet/Wallets.ts"
import { MobileMoneyNotices } from "../../../src/domain/ports/money/MobileMoneyNotices.ts"
import {
  CardPayments,
  type CardProvider,
  MobileMoney,
  ProviderUnanswered
} from "../../../src/domain/ports/money/PaymentProvider.ts"
import type { TopUpId } from "../../../src/domain/BrandedIds.ts"
import { changesFrom } from "../../../src/domain/topups/Reconciliation.ts"
import { MemoryJournal } from "../../../src/layers/journal/MemoryJournal.ts"
import { pass, payments } from "../../support/Payments.ts"
import { ledger, origin, workspace_id } from "../../support/TopUpScenario.ts"

/** A provider whose notices are all lost. */
class SilentProvider {
  refunded_minor = 0
  readonly changed: Array<{ readonly at: number; readonly topup_id: TopUpId; readonly request_id: string }> = []
  readonly asked: Array<readonly [from: number, to: number]> = []
  answers = true

  readonly provider: CardProvider = {
    push: ({ topup_id }) => Effect.succeed({ _tag: "Accepted", request_id: `cs_${topup_id}` }),
    query: ({ amount_minor, topup_id }) =>
      Effect.sync(() => ({
        _tag: "Paid" as const,
        receipt: `pi_${topup_id}`,
        amount_minor,
        currency: "KES",
        taken_back_minor: this.refunded_minor
      })),
    changes: (from, to) =>
      Effect.suspend(() => {
        this.asked.push([from, to])
        return this.answers
          ? Effect.succeed(
              this.changed
                .filter(({ at }) => at >= from && at <= to)
                .map(({ request_id, topup_id }) => ({ _tag: "Changed" as const, topup_id, request_id }))
            )
          : Effect.fail(new ProviderUnanswered({ cause: "cut" }))
      })
  }

  readonly layer = Layer.succeed(CardPayments)({ provider: this.provider })
}

const noMobileMoney = Layer.merge(MobileMoney.none, MobileMoneyNotices.none)

/** A top-up by card that was paid. */
const paidTopUp = Effect.gen(function* () {
  yield* (yield* Wallets).open(workspace_id, "KES")
  const { start } = yield* TopUps
  const request = { provider: "card", amount_minor: 50_000, currency: "KES" }
  const starting = yield* Effect.forkChild(start({ workspace_id, origin, request }))
  yield* pass(60, 5)
  return yield* Fiber.join(starting)
})

describe("what the provider of cards has changed", () => {
  it.effect("is read every ten minutes, so that a refund without a notice is debited, once", () =>
    Effect.gen(function* () {
      const journal = yield* MemoryJournal.make
      const silent = new SilentProvider()
      const engine = () => Layer.fresh(payments(journal, noMobileMoney, silent.layer))
      yield* Effect.provide(
        Effect.gen(function* () {
          const { topup_id } = yield* paidTopUp
          silent.refunded_minor = 20_000
          silent.changed.push({ at: yield* Clock.currentTimeMillis, topup_id, request_id: `cs_${topup_id}` })
          yield* pass(700, 10)
          assert.deepStrictEqual(ledger(journal), [
            ["topup", 50_000, false],
            ["topup_reversal", -20_000, false]
          ])
          yield* pass(3_000, 60)
        }),
        engine()
      )
      const before = silent.asked.length
      const [, until] = silent.asked.at(-1)!
      // The engine is away for a day, and the provider does not answer at first.
      silent.answers = false
      silent.refunded_minor = 50_000
      silent.changed.push({ ...silent.changed[0]!, at: until + 3_600_000 })
      yield* TestClock.adjust("1 day")
      yield* Effect.provide(
        Effect.gen(function* () {
          yield* pass(1_300, 10)
          assert.isAbove(silent.asked.length, before + 1)
          assert.isTrue(
            silent.asked.slice(before).every(([from]) => from < until),
            "it begins where it was"
          )
          assert.lengthOf(ledger(journal), 2)
          silent.answers = true
          yield* pass(700, 10)
          assert.deepStrictEqual(ledger(journal).slice(2), [["topup_reversal", -30_000, false]])
          yield* pass(2_000, 60)
        }),
        engine()
      )
      assert.lengthOf(ledger(journal), 3)
    })
  )

  it("is read from a little before the last reading on, at most for as long as it is kept", () => {
    const day_ms = 86_400_000
    const now = 100 * day_ms
    const state = { next_at: now, last_at: now }
    assert.strictEqual(changesFrom(state, now), now - 2 * day_ms)
    assert.strictEqual(changesFrom({ ...state, read_until: now - 600_000 }, now), now - 1_500_000)
    assert.strictEqual(changesFrom({ ...state, read_until: 0 }, now), now - 30 * day_ms)
  })
})
