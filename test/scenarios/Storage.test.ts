import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Result } from "effect"
import { TestClock } from "effect/testing"
import { RecordingActor } from "../../src/actors/recordings/RecordingActor.ts"
import { ActorSystem } from "../../src/actors/runtime/ActorSystem.ts"
import { StorageActor } from "../../src/actors/storage/StorageActor.ts"
import { StorageTiers } from "../../src/actors/storage/StorageTiers.ts"
import { systemOrigin } from "../../src/domain/access/Origin.ts"
import { recordingState } from "../../src/domain/recordings/StoredRecording.ts"
import { storageState } from "../../src/domain/storage/Storage.ts"
import { recordingIdOf } from "../../src/domain/recordings/RecordingId.ts"
import { diesAfter } from "../support/DiesAfter.ts"
import { engine, MemoryJournal, TestEngine, workspace } from "../../src/testing.ts"
import { callId } from "../support/Ids.ts"

const mb = 1_048_576
const november = Date.UTC(2026, 10, 16)

type Inside = StorageTiers | ActorSystem | TestEngine

/** Time that an engine lives through takes time: what happens on the 1st begins an hour before it. */
const hour = 3_600_000
const december = Date.UTC(2026, 11, 1)

/** A workspace with so much money, from the middle of November on unless it says otherwise. */
const storages = (
  name: string,
  money: number,
  body: (journal: MemoryJournal) => Effect.Effect<void, unknown, Inside>,
  from = november,
  status: "active" | "closed" = "active"
) =>
  it.effect(name, () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(from)
      const journal = yield* MemoryJournal.make
      yield* Effect.gen(function* () {
        yield* Effect.flatMap(TestEngine, ({ credit }) => credit(money))
        yield* body(journal)
      }).pipe(Effect.provide(Layer.fresh(engine({ journal, status }))))
    })
  )

const drain = Effect.flatMap(ActorSystem, ({ drain }) => drain)
const settle = Effect.gen(function* () {
  for (let turn = 0; turn < 5; turn++) yield* Effect.andThen(drain, TestClock.adjust("100 millis"))
  yield* drain
})

const assign = (tier_mb: number) =>
  Effect.flatMap(StorageTiers, (tiers) => tiers.assign(workspace.id, tier_mb, systemOrigin))
const show = Effect.flatMap(StorageTiers, (tiers) => tiers.show(workspace.id))

const charges = (journal: MemoryJournal) =>
  journal.tables.ledger.filter(({ kind }) => kind === "storage_charge").map(({ amount_minor }) => amount_minor)

const told = (journal: MemoryJournal) =>
  journal.tables.events
    .filter(({ kind }) => kind.startsWith("storage."))
    .map(({ payload }) => JSON.parse(payload) as Record<string, unknown>)

describe("the size of a storage", () => {
  storages("is paid for from now to the end of the month, and changes once it is paid", 30_000, (journal) =>
    Effect.gen(function* () {
      const { balance_minor } = yield* TestEngine
      const changed = yield* assign(1024)
      assert.deepInclude(changed, {
        charge_minor: 29_950,
        effective: "now",
        tier_mb: 1024,
        tier_gb: 1,
        price_minor: 59_900,
        renews_at: "2026-12-01T00:00:00.000Z"
      })
      assert.deepStrictEqual([charges(journal), yield* balance_minor], [[-29_950], 50])
      const [entry] = journal.tables.ledger.slice(-1)
      assert.deepInclude(entry!.lines, { account: "revenue:storage", amount_minor: 29_950 })
      assert.deepStrictEqual(told(journal), [
        {
          kind: "storage.tier_changed",
          workspace_id: workspace.id,
          from_tier_mb: 100,
          to_tier_mb: 1024,
          charge_minor: 29_950,
          currency: "KES",
          reason: "customer",
          changed_at: new Date(november).toISOString()
        }
      ])
      assert.deepStrictEqual(
        journal.tables.audit.map(({ action_kind }) => action_kind),
        ["storage.tier_changed"]
      )
    })
  )

  storages("stays as it is where the money is not there", 29_949, (journal) =>
    Effect.gen(function* () {
      const refused = yield* Effect.result(assign(1024))
      assert.strictEqual(Result.isFailure(refused) && refused.failure._tag, "wallet.insufficient_funds")
      assert.deepInclude(yield* show, { tier_mb: 100, renews_at: null })
      assert.deepStrictEqual([charges(journal), told(journal)], [[], []])
    })
  )

  storages("is paid for once by all who ask for it at once", 1_000_000, (journal) =>
    Effect.gen(function* () {
      const changed = yield* Effect.all(
        Array.from({ length: 10 }, () => assign(1024)),
        { concurrency: "unbounded" }
      )
      for (const { tier_mb } of changed) assert.strictEqual(tier_mb, 1024)
      assert.deepStrictEqual(charges(journal), [-29_950])
    })
  )

  storages(
    "of a closed workspace is not renewed",
    1_000_000,
    (journal) =>
      Effect.gen(function* () {
        yield* assign(1024)
        yield* TestClock.adjust(hour)
        yield* settle
        assert.lengthOf(charges(journal), 1)
        assert.deepInclude(yield* show, { tier_mb: 100, renews_at: null })
        assert.strictEqual(told(journal).at(-1)!["reason"], "downgrade")
      }),
    december - hour,
    "closed"
  )

  storages(
    "shrinks on the 1st, at the price of the smaller size",
    1_000_000,
    (journal) =>
      Effect.gen(function* () {
        yield* assign(4096)
        assert.deepInclude(yield* assign(1024), {
          charge_minor: 0,
          effective: "next_month",
          tier_mb: 4096,
          pending_tier_mb: 1024
        })
        yield* TestClock.adjust(hour - 1)
        assert.deepInclude(yield* show, { tier_mb: 4096 })
        yield* settle
        assert.deepInclude(yield* show, { tier_mb: 1024, pending_tier_mb: null, renews_at: "2027-01-01T00:00:00.000Z" })
        assert.deepStrictEqual(charges(journal), [-208, -59_900])
        assert.deepInclude(told(journal)[1]!, {
          from_tier_mb: 4096,
          to_tier_mb: 1024,
          charge_minor: 59_900,
          reason: "renewal"
        })
      }),
    december - hour
  )
})

describe("an engine that crashes", () => {
  it.effect("at any commit of an upgrade and its renewal charges each once or not at all", () =>
    Effect.gen(function* () {
      const ends = new Set<string>()
      for (let [lives, commits] = [true, 2]; lives; commits++) {
        yield* TestClock.setTime(december - hour)
        const journal = yield* MemoryJournal.make
        const died = diesAfter(journal, commits)
        const run = <E>(body: Effect.Effect<void, E, Inside>) => Effect.provide(body, Layer.fresh(engine({ journal })))
        yield* run(
          Effect.gen(function* () {
            // A dead engine never answers: nobody waits for it.
            yield* Effect.forkDetach(
              Effect.andThen(
                Effect.flatMap(TestEngine, ({ credit }) => credit(70_000)),
                assign(1024)
              )
            )
            for (let turn = 0; turn < 15 && !died(); turn++) yield* TestClock.adjust("5 minutes")
          })
        )
        lives = died()
        yield* run(
          Effect.gen(function* () {
            yield* TestClock.adjust("2 hours")
            yield* settle
            const { balance_minor } = yield* TestEngine
            const tier_mb = (yield* show).tier_mb
            const paid = charges(journal)
            ends.add(`${tier_mb}: ${paid.join(" ")}`)
            assert.strictEqual(yield* balance_minor, 70_000 + paid.reduce((sum, amount) => sum + amount, 0))
            assert.lengthOf(told(journal), tier_mb === 100 ? 0 : 1)
          })
        )
      }
      assert.deepStrictEqual([...ends].sort(), ["100: ", "1024: -83 -59900"])
    })
  )
})

describe("a renewal that fell due while the engine was down", () => {
  it.effect("happens once after the restart; a wallet that becomes negative has 72 hours", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(november)
      const journal = yield* MemoryJournal.make
      const run = <E>(body: Effect.Effect<void, E, Inside>) => Effect.provide(body, Layer.fresh(engine({ journal })))
      yield* run(
        Effect.gen(function* () {
          yield* Effect.flatMap(TestEngine, ({ credit }) => credit(30_000))
          yield* assign(1024)
          journal.crash()
        })
      )
      yield* TestClock.setTime(Date.UTC(2027, 0, 10))
      yield* run(
        Effect.gen(function* () {
          yield* settle
          const { balance_minor } = yield* TestEngine
          assert.deepStrictEqual([charges(journal), yield* balance_minor], [[-29_950, -59_900], 50 - 59_900])
          assert.deepInclude(yield* show, { tier_mb: 1024, renews_at: "2027-02-01T00:00:00.000Z" })
          assert.isNotNull((yield* show).past_due_since)
          assert.lengthOf(told(journal), 1)
          yield* TestClock.adjust("71 hours")
          yield* settle
          assert.strictEqual((yield* show).tier_mb, 1024)
          journal.crash()
        })
      )
      yield* run(
        Effect.gen(function* () {
          yield* TestClock.adjust("1 hour")
          yield* settle
          assert.deepInclude(yield* show, { tier_mb: 100, past_due_since: null, renews_at: null })
          assert.deepInclude(told(journal)[1]!, {
            from_tier_mb: 1024,
            to_tier_mb: 100,
            charge_minor: 0,
            reason: "past_due"
          })
          assert.deepStrictEqual(charges(journal), [-29_950, -59_900])
        })
      )
    })
  )

  storages(
    "keeps the size if the wallet is topped up in time",
    30_000,
    (journal) =>
      Effect.gen(function* () {
        yield* assign(1024)
        yield* TestClock.adjust(hour)
        yield* settle
        assert.isNotNull((yield* show).past_due_since)
        yield* Effect.flatMap(TestEngine, ({ credit }) => credit(30_000))
        yield* TestClock.adjust("2 hours")
        yield* settle
        assert.deepInclude(yield* show, { tier_mb: 1024, past_due_since: null })
        assert.lengthOf(told(journal), 1)
      }),
    december - hour
  )
})

/** A recording that is there, of so many MB; the `n`th. */
const stored = (n: number, mbs: number) =>
  Effect.gen(function* () {
    const { ask } = yield* ActorSystem
    const call_id = callId(`0199a000-0000-7000-8000-${String(n).padStart(12, "0")}`)
    const id = recordingIdOf(call_id, 0)
    const facts = { workspace_id: workspace.id, call_id, source: "originate", channels: 1, started_at: n } as const
    yield* ask(RecordingActor, id, { _tag: "Start", facts })
    if (mbs > 0) {
      yield* ask(RecordingActor, id, {
        _tag: "Finish",
        audio: { object_key: "gone.wav", size_bytes: null, duration_ms: null, sha256: null }
      })
      yield* ask(RecordingActor, id, {
        _tag: "Store",
        size_bytes: mbs * mb,
        duration_ms: 1,
        sha256: "ab",
        retention_days: 90
      })
    }
    yield* settle
    return id
  })

const states = (journal: MemoryJournal, ids: ReadonlyArray<string>) =>
  ids.map((id) => {
    const { reason, status } = recordingState.view(journal.tables.snapshot("Recording", id)!.state)
    return reason ?? status
  })

describe("the limit of a storage", () => {
  storages("is made by the oldest recordings, whole ones, and never by one that is made", 1, (journal) =>
    Effect.gen(function* () {
      const making = yield* stored(1, 0)
      const ids = [yield* stored(2, 40), yield* stored(3, 45), yield* stored(4, 14), yield* stored(5, 30)]
      assert.deepStrictEqual(states(journal, [making, ...ids]), [
        "in_progress",
        "storage_full",
        "available",
        "available",
        "available"
      ])
      assert.deepInclude(yield* show, { used_bytes: 89 * mb, recordings: 3, tier_mb: 100 })
      assert.deepStrictEqual(told(journal), [
        { kind: "storage.usage_high", workspace_id: workspace.id, percent: 80, used_bytes: 85 * mb, tier_mb: 100 },
        { kind: "storage.usage_high", workspace_id: workspace.id, percent: 100, used_bytes: 129 * mb, tier_mb: 100 },
        {
          kind: "storage.recordings_evicted",
          workspace_id: workspace.id,
          recordings: 1,
          freed_bytes: 40 * mb,
          used_bytes: 89 * mb,
          tier_mb: 100
        }
      ])
      assert.lengthOf(
        journal.tables.events.filter(({ kind }) => kind === "storage.recordings_evicted"),
        1
      )
    })
  )

  storages(
    "evicts recordings when the size shrinks, and does not count deleted ones",
    1_000_000,
    (journal) =>
      Effect.gen(function* () {
        yield* assign(1024)
        const ids = [yield* stored(1, 90), yield* stored(2, 90), yield* stored(3, 90)]
        assert.deepInclude(yield* show, { used_bytes: 270 * mb, recordings: 3 })
        yield* assign(100)
        yield* TestClock.adjust(hour)
        yield* settle
        assert.deepStrictEqual(states(journal, ids), ["storage_full", "storage_full", "available"])
        assert.deepInclude(told(journal).at(-1)!, {
          kind: "storage.recordings_evicted",
          recordings: 2,
          freed_bytes: 180 * mb
        })
        const { ask } = yield* ActorSystem
        yield* ask(RecordingActor, ids[2]!, { _tag: "Delete", origin: systemOrigin })
        yield* settle
        assert.deepInclude(yield* show, { used_bytes: 0, recordings: 0 })
        const { counted, recounts, used_bytes } = storageState.view(
          journal.tables.snapshot(StorageActor.type, workspace.id)!.state
        )
        assert.deepStrictEqual([counted, used_bytes], [recounts, 0])
      }),
    december - hour
  )
})
