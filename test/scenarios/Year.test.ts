// A year of a workspace on the virtual clock: one recorded call a day, a payment on the 1st, and some failures.
import { assert, describe, it } from "@effect/vitest"
import { Clock, Effect, Layer, Result } from "effect"
import { TestClock } from "effect/testing"
import { Calls } from "../../src/actors/calls/Calls.ts"
import { ActorSystem } from "../../src/actors/runtime/ActorSystem.ts"
import { StorageTiers } from "../../src/actors/storage/StorageTiers.ts"
import { systemOrigin } from "../../src/domain/access/Origin.ts"
import { talkative } from "../../src/layers/pbx/simulator/Phones.ts"
import {
  engine,
  type EngineOptions,
  MemoryJournal,
  MemoryRecordings,
  PbxSimulator,
  TestEngine,
  workspace
} from "../../src/testing.ts"

type Inside = Calls | StorageTiers | ActorSystem | TestEngine | PbxSimulator

const day_ms = 86_400_000
const at = (month: number, day: number) => Date.UTC(2026, month - 1, day)
/** The payment on the 1st of each month, and the price of a day's call. */
const payment = 160_000
const call_minor = 300
const unpaid_months = new Set([4, 5])

const drain = Effect.flatMap(ActorSystem, ({ drain }) => drain)
const steps = (count: number, ms: number) =>
  Effect.replicateEffect(Effect.andThen(TestClock.adjust(ms), drain), count, { discard: true })

/** Time passes faster while no PBX connection sends pings. */
const until = (instant: number) =>
  Effect.gen(function* () {
    yield* TestClock.adjust(instant - (yield* Clock.currentTimeMillis))
    yield* steps(3, 0)
  })

const dayOfCalls = Effect.gen(function* () {
  const pbx = yield* PbxSimulator
  const calls = yield* Calls
  yield* pbx.connect
  const placed = yield* Effect.result(
    calls.originate(workspace.id, {
      to: "+254711000001",
      from: workspace.number,
      voice_callback_url: "https://app.test/voice",
      record: "record-from-answer"
    })
  )
  yield* steps(4, 2_000)
  yield* pbx.disconnect
  return Result.isSuccess(placed) ? "called" : placed.failure._tag
})

const tier = Effect.flatMap(StorageTiers, (tiers) => Effect.map(tiers.show(workspace.id), ({ tier_mb }) => tier_mb))
const assign = (tier_mb: number) =>
  Effect.flatMap(StorageTiers, (tiers) => tiers.assign(workspace.id, tier_mb, systemOrigin))
const pay = Effect.flatMap(TestEngine, ({ credit }) => credit(payment))

const booksAreRight = (journal: MemoryJournal) =>
  Effect.gen(function* () {
    const { balance_minor, held_minor } = yield* TestEngine
    const { ledger } = journal.tables
    assert.strictEqual(
      yield* balance_minor,
      ledger.reduce((sum, entry) => sum + entry.amount_minor, 0)
    )
    assert.strictEqual(yield* held_minor, 0)
    for (const { lines } of ledger)
      assert.strictEqual(
        lines.reduce((sum, line) => sum + line.amount_minor, 0),
        0
      )
  })

describe("a year", () => {
  it.effect("of calls, renewals, a missed payment, storage changes and a suspension leaves a valid ledger", () =>
    Effect.gen(function* () {
      const journal = yield* MemoryJournal.make
      const recordings = new MemoryRecordings()
      const options: EngineOptions = {
        journal,
        recordings,
        retention_days: 30,
        phones: () => talkative(1_000, 3_000),
        callback: () => Effect.succeed([{ say: { text: "x".repeat(300) } }])
      }
      const outcomes: Record<string, number> = {}
      const engineOf = (more: Partial<EngineOptions>, body: Effect.Effect<void, unknown, Inside>) =>
        Effect.provide(body, Layer.fresh(engine({ ...options, ...more })))

      /** Noon by noon; on the 1st money comes in, unless it does not. */
      const live = (
        from: number,
        to: number,
        happenings: ReadonlyMap<number, Effect.Effect<unknown, unknown, Inside>> = new Map()
      ) =>
        Effect.gen(function* () {
          for (let today = from; today < to; today += day_ms) {
            yield* until(today + day_ms / 2)
            const date = new Date(today)
            if (date.getUTCDate() === 1 && !unpaid_months.has(date.getUTCMonth() + 1)) yield* pay
            yield* happenings.get(today) ?? Effect.void
            const outcome = yield* dayOfCalls
            outcomes[outcome] = (outcomes[outcome] ?? 0) + 1
            if (date.getUTCDate() === 28) yield* booksAreRight(journal)
          }
        })
      const sizeIs = (tier_mb: number) => Effect.map(tier, (now) => assert.strictEqual(now, tier_mb))

      yield* TestClock.setTime(at(1, 1))
      yield* engineOf(
        {},
        live(
          at(1, 1),
          at(9, 1),
          new Map<number, Effect.Effect<unknown, unknown, Inside>>([
            [at(1, 16), assign(4096)],
            [at(3, 20), assign(1024)],
            [at(4, 1), sizeIs(1024)],
            [at(5, 3), sizeIs(1024)],
            [at(5, 4), sizeIs(100)],
            [at(5, 10), pay],
            [at(7, 15), assign(1024)]
          ])
        )
      )
      yield* engineOf({ status: "suspended" }, live(at(9, 1), at(10, 1)))
      yield* engineOf({}, live(at(10, 1), at(13, 1)))

      // Nine days without money, thirty of the suspension.
      assert.deepStrictEqual(outcomes, {
        called: 365 - 9 - 30,
        "wallet.insufficient_funds": 9,
        "account.suspended": 30
      })
      const charged = journal.tables.ledger.filter(({ kind }) => kind === "call_charge")
      assert.deepStrictEqual(
        [charged.length, new Set(charged.map(({ amount_minor }) => amount_minor))],
        [365 - 39, new Set([-call_minor])]
      )
      const paid = journal.tables.ledger
        .filter(({ kind }) => kind === "storage_charge")
        .map(({ amount_minor, created_at }) => [new Date(created_at).toISOString().slice(0, 10), -amount_minor])
      assert.deepStrictEqual(paid, [
        ["2026-01-16", 74_950],
        ["2026-02-01", 149_900],
        ["2026-03-01", 149_900],
        ["2026-04-01", 59_900],
        ["2026-05-01", 59_900],
        ["2026-07-15", 31_882],
        ...["08", "09", "10", "11", "12"].map((month) => [`2026-${month}-01`, 59_900])
      ])
      const changes = journal.tables.events
        .filter(({ kind }) => kind === "storage.tier_changed")
        .map(({ occurred_at, payload }) => {
          const { reason, to_tier_mb } = JSON.parse(payload) as {
            readonly reason: string
            readonly to_tier_mb: number
          }
          return [new Date(occurred_at).toISOString().slice(0, 10), reason, to_tier_mb]
        })
      assert.deepStrictEqual(changes, [
        ["2026-01-16", "customer", 4096],
        ["2026-04-01", "renewal", 1024],
        ["2026-05-04", "past_due", 100],
        ["2026-07-15", "customer", 1024]
      ])
      // A month of them is kept; of every other nothing is left.
      assert.isAtMost(recordings.stored.size, 31)
      assert.isAtLeast(recordings.stored.size, 29)
      assert.strictEqual(recordings.spooled.size, 0)
    })
  )
})
