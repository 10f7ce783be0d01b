import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import type { Committed, Entry } from "../../../src/domain/journal/Rows.ts"
import { MemoryJournal } from "../../../src/layers/journal/MemoryJournal.ts"

const counter = (version: number): Entry => ({
  actor_type: "Counter",
  actor_id: "one",
  workspace_id: null,
  snapshot: { version, state: String(version), columns: {} }
})

/** Lets the commit that is under way end. */
const settled = Effect.promise(() => Promise.resolve())

it.effect("answers after the commit and not before", () =>
  Effect.gen(function* () {
    yield* TestClock.setTime(1_000)
    const memory = yield* MemoryJournal.make
    const journal = memory.open()
    const outcomes: Array<Committed> = []
    memory.hold()
    journal.append(counter(1), (outcome) => outcomes.push(outcome))
    journal.append(counter(2), (outcome) => outcomes.push(outcome))
    yield* settled
    assert.deepStrictEqual([outcomes.length, memory.pending, memory.commits], [0, 2, 0])
    memory.release()
    yield* settled
    assert.deepStrictEqual(outcomes, [{ ok: true }, { ok: true }])
    assert.deepStrictEqual([memory.pending, memory.commits], [0, 1])
    assert.strictEqual(memory.tables.snapshot("Counter", "one")?.state, "2")
  })
)

it.effect("fails only the next transaction, as a whole, on request", () =>
  Effect.gen(function* () {
    const memory = yield* MemoryJournal.make
    const journal = memory.open()
    const outcomes: Array<Committed> = []
    memory.failNext("stale")
    journal.append(counter(1), (outcome) => outcomes.push(outcome))
    journal.append(counter(2), (outcome) => outcomes.push(outcome))
    yield* settled
    assert.deepStrictEqual(
      outcomes.map((outcome) => outcome.ok || outcome.error.reason),
      ["stale", "stale"]
    )
    assert.strictEqual(memory.tables.snapshots.size, 0)
    journal.append(counter(1), (outcome) => outcomes.push(outcome))
    yield* settled
    assert.deepStrictEqual(outcomes[2], { ok: true })
  })
)

it.effect("fails reads and writes while the database is away", () =>
  Effect.gen(function* () {
    const memory = yield* MemoryJournal.make
    const journal = memory.open()
    const outcomes: Array<Committed> = []
    memory.hold()
    journal.append(counter(1), (outcome) => outcomes.push(outcome))
    memory.goDown()
    yield* settled
    assert.deepStrictEqual(
      outcomes.map((outcome) => outcome.ok || outcome.error.reason),
      ["unavailable"]
    )
    assert.strictEqual((yield* Effect.flip(journal.load("Counter", "one"))).reason, "unavailable")
    memory.comeUp()
    assert.strictEqual(yield* journal.load("Counter", "one"), undefined)
  })
)

it.effect("keeps commits after a crash, and does not answer the dead engine", () =>
  Effect.gen(function* () {
    const memory = yield* MemoryJournal.make
    const before = memory.open()
    const outcomes: Array<Committed> = []
    before.append(counter(1), (outcome) => outcomes.push(outcome))
    yield* settled
    memory.hold()
    before.append(counter(2), (outcome) => outcomes.push(outcome))
    memory.crash()
    before.append(counter(2), (outcome) => outcomes.push(outcome))
    const after = memory.open()
    yield* settled
    assert.strictEqual(outcomes.length, 1)
    assert.strictEqual((yield* after.load("Counter", "one"))?.version, 1)
    after.append(counter(2), (outcome) => outcomes.push(outcome))
    yield* settled
    assert.strictEqual(outcomes.length, 2)
    assert.strictEqual((yield* after.load("Counter", "one"))?.version, 2)
  })
)
