import { assert, it } from "@effect/vitest"
import { Effect, Exit, Logger } from "effect"
import { TestClock } from "effect/testing"
import type { Perform } from "../../../src/actors/runtime/Definition.ts"
import { MemoryJournal } from "../../../src/layers/journal/MemoryJournal.ts"
import {
  Add,
  Break,
  engine,
  Finish,
  Flash,
  journalWith,
  Read,
  Remind,
  Start,
  type ToyCommands,
  type ToyState
} from "./Toy.ts"
import { workspaceId } from "../../support/Ids.ts"

type Work = Perform<ToyState, ToyCommands, string>

/** Work that goes on until it is interrupted, and what became of it. */
const watched = () => {
  const seen: Array<string> = []
  const perform: Work = (work) =>
    Effect.onExit(
      Effect.suspend(() => {
        seen.push(`${work} starts`)
        return Effect.never
      }),
      (exit) => Effect.sync(() => seen.push(`${work} ${Exit.hasInterrupts(exit) ? "interrupted" : "ends"}`))
    )
  return { perform, seen }
}

/** A command that can be told once. */
const twice = Add.make({
  amount: 1,
  idempotency: { workspace_id: workspaceId("w"), method: "POST", route: "/v1/toys", key: "k", fingerprint: "f" }
})

it.effect("starts planned work once, and interrupts it when the plan drops it", () =>
  Effect.gen(function* () {
    const memory = yield* MemoryJournal.make
    const { perform, seen } = watched()
    const { ask, system } = yield* engine(memory.layer, { perform })
    yield* ask(Start.make({ key: "a", at: null }))
    yield* ask(Start.make({ key: "b", at: null }))
    yield* ask(Add.make({ amount: 1 }))
    yield* ask(Finish.make({ key: "a" }))
    yield* system.drain
    assert.deepStrictEqual(seen, ["a starts", "b starts", "a interrupted"])
  })
)

it.effect("starts no work for a decision that is not stored", () =>
  Effect.gen(function* () {
    const memory = yield* MemoryJournal.make
    const { perform, seen } = watched()
    const { ask, system } = yield* engine(memory.layer, { perform })
    memory.hold()
    yield* Effect.forkChild(ask(Start.make({ key: "a", at: null })), { startImmediately: true })
    yield* Effect.forkChild(ask(Flash.make({})), { startImmediately: true })
    yield* Effect.yieldNow
    assert.deepStrictEqual(seen, [])
    memory.release()
    yield* system.drain
    assert.deepStrictEqual(seen, ["a starts"])
  })
)

it.effect("starts no work for a decision in flight while earlier ones are stored", () =>
  Effect.gen(function* () {
    const memory = yield* MemoryJournal.make
    const late: Array<() => void> = []
    const journal = journalWith(memory, ({ append }) => ({
      append: (entry, done) =>
        append(entry, (outcome) => (entry.snapshot?.version === 2 ? late.push(() => done(outcome)) : done(outcome)))
    }))
    const { perform, seen } = watched()
    const { ask, system } = yield* engine(journal, { perform })
    yield* Effect.forkChild(ask(Add.make({ amount: 1 })), { startImmediately: true })
    yield* Effect.forkChild(ask(Flash.make({})), { startImmediately: true })
    yield* Effect.forkChild(ask(Start.make({ key: "a", at: null })), { startImmediately: true })
    yield* Effect.yieldNow
    assert.deepStrictEqual([seen, late.length], [[], 1])
    late.forEach((come) => come())
    yield* system.drain
    assert.deepStrictEqual(seen, ["a starts"])
  })
)

it.effect("starts no work for a decision in flight because of an earlier volatile one", () =>
  Effect.gen(function* () {
    const memory = yield* MemoryJournal.make
    const { perform, seen } = watched()
    const { ask, system } = yield* engine(memory.layer, { perform })
    yield* ask(Read.make({}))
    yield* system.drain
    memory.hold()
    const both = Effect.andThen(ask(Flash.make({})), ask(Start.make({ key: "a", at: null })))
    yield* Effect.forkChild(both, { startImmediately: true })
    yield* Effect.yieldNow
    assert.deepStrictEqual([seen, memory.pending], [[], 1])
  })
)

it.effect("starts the work of a volatile change at once, or when the decision before it is stored", () =>
  Effect.gen(function* () {
    const memory = yield* MemoryJournal.make
    const { perform, seen } = watched()
    const { ask, system } = yield* engine(memory.layer, { perform })
    for (const id of ["one", "two"]) for (let index = 0; index < 2; index++) yield* ask(Flash.make({}), id)
    yield* ask(Flash.make({}), "one")
    yield* Effect.yieldNow
    assert.deepStrictEqual(seen, ["glow starts"])
    memory.hold()
    yield* Effect.forkChild(ask(Add.make({ amount: 1 }), "two"), { startImmediately: true })
    yield* Effect.forkChild(ask(Flash.make({}), "two"), { startImmediately: true })
    yield* Effect.yieldNow
    assert.strictEqual(seen.length, 1)
    memory.release()
    yield* system.drain
    assert.deepStrictEqual(seen, ["glow starts", "glow starts"])
  })
)

it.effect("starts no work on an actor that stopped after the commit", () =>
  Effect.gen(function* () {
    const memory = yield* MemoryJournal.make
    const { perform, seen } = watched()
    const { ask, system } = yield* engine(memory.layer, { perform })
    yield* ask(twice)
    memory.hold()
    yield* Effect.forkChild(ask(Start.make({ key: "a", at: null })), { startImmediately: true })
    yield* Effect.forkChild(Effect.exit(ask(twice)), { startImmediately: true })
    memory.release()
    yield* system.drain
    assert.deepStrictEqual(seen, ["a starts"])
  })
)

it.effect("does not start work that decisions of one batch plan and drop", () =>
  Effect.gen(function* () {
    const memory = yield* MemoryJournal.make
    const { perform, seen } = watched()
    const { ask, system } = yield* engine(memory.layer, { perform })
    memory.hold()
    yield* Effect.forkChild(ask(Start.make({ key: "a", at: null })), { startImmediately: true })
    yield* Effect.forkChild(ask(Finish.make({ key: "a" })), { startImmediately: true })
    memory.release()
    yield* system.drain
    assert.deepStrictEqual(seen, [])
  })
)

it.effect("restarts work that died, at growing intervals", () =>
  Effect.gen(function* () {
    const memory = yield* MemoryJournal.make
    const starts: Array<number> = []
    const perform: Work = () =>
      Effect.clockWith((clock) => {
        starts.push(clock.currentTimeMillisUnsafe())
        return starts.length < 5 ? Effect.die("no luck") : Effect.never
      })
    const { ask } = yield* engine(memory.layer, { perform })
    yield* ask(Start.make({ key: "a", at: null }))
    yield* TestClock.adjust("1 hour")
    assert.deepStrictEqual(starts, [0, 200, 600, 1_400, 3_000])
  }).pipe(Effect.provide(Logger.layer([])))
)

it.effect("does not restart finished work that is still planned until the actor is reloaded", () =>
  Effect.gen(function* () {
    const memory = yield* MemoryJournal.make
    let starts = 0
    const perform: Work = () => Effect.sync(() => void starts++)
    const { ask, system } = yield* engine(memory.layer, { perform })
    yield* ask(Start.make({ key: "a", at: null }))
    yield* ask(Add.make({ amount: 1 }))
    yield* TestClock.adjust("1 hour")
    assert.strictEqual(starts, 1)
    yield* Effect.flip(ask(Break.make({ where: "decide" })))
    yield* ask(Read.make({}))
    yield* system.drain
    assert.strictEqual(starts, 2)
  }).pipe(Effect.provide(Logger.layer([])))
)

it.effect("resumes the work of an actor after a failed commit without a new message", () =>
  Effect.gen(function* () {
    const memory = yield* MemoryJournal.make
    const { perform, seen } = watched()
    const { ask, system } = yield* engine(memory.layer, { perform })
    yield* ask(Start.make({ key: "a", at: null }))
    yield* system.drain
    memory.goDown()
    yield* Effect.flip(ask(Finish.make({ key: "a" })))
    yield* system.drain
    assert.deepStrictEqual(seen, ["a starts", "a interrupted"])
    yield* TestClock.adjust("5 seconds")
    memory.comeUp()
    yield* TestClock.adjust("1 second")
    assert.deepStrictEqual(seen, ["a starts", "a interrupted", "a starts"])
  })
)

it.effect("resumes the work of an actor that died without a new message", () =>
  Effect.gen(function* () {
    const memory = yield* MemoryJournal.make
    const { perform, seen } = watched()
    const { ask, system } = yield* engine(memory.layer, { perform })
    yield* ask(Start.make({ key: "a", at: null }))
    yield* system.drain
    yield* Effect.flip(ask(Break.make({ where: "evolve" })))
    yield* TestClock.adjust("1 second")
    assert.deepStrictEqual(seen, ["a starts", "a interrupted", "a starts"])
  }).pipe(Effect.provide(Logger.layer([])))
)

it.effect("resumes work at once if only a taken key was at fault", () =>
  Effect.gen(function* () {
    const memory = yield* MemoryJournal.make
    const { perform, seen } = watched()
    const { ask, system } = yield* engine(memory.layer, { perform })
    yield* ask(Start.make({ key: "a", at: null }))
    yield* ask(twice)
    yield* system.drain
    yield* Effect.flip(ask(twice))
    yield* system.drain
    assert.deepStrictEqual(seen, ["a starts", "a interrupted", "a starts"])
  })
)

it.effect("lets work send commands to its own actor, even one that drops the work", () =>
  Effect.gen(function* () {
    const memory = yield* MemoryJournal.make
    const { ask, system } = yield* engine(memory.layer, {
      perform: (key, self) =>
        Effect.gen(function* () {
          yield* self.tell(Add.make({ amount: self.state().count + 1 }))
          yield* self.tell(Finish.make({ key }))
        }).pipe(Effect.orDie)
    })
    yield* ask(Add.make({ amount: 3 }))
    yield* ask(Start.make({ key: "double", at: null }))
    yield* system.drain
    assert.deepInclude(yield* ask(Read.make({})), { count: 7, tasks: {}, log: ["double 0"] })
  })
)

it.effect("fires a deadline at its time and never earlier", () =>
  Effect.gen(function* () {
    const memory = yield* MemoryJournal.make
    const { ask } = yield* engine(memory.layer)
    yield* ask(Remind.make({ key: "a", at: 30_000 }))
    yield* ask(Remind.make({ key: "b", at: 10_000 }))
    yield* TestClock.adjust(9_999)
    assert.deepStrictEqual((yield* ask(Read.make({}))).log, [])
    yield* TestClock.adjust(1)
    assert.deepStrictEqual((yield* ask(Read.make({}))).log, ["b 10000"])
    yield* TestClock.adjust("1 hour")
    assert.deepStrictEqual((yield* ask(Read.make({}))).log, ["b 10000", "a 30000"])
  })
)

it.effect("moves and removes deadlines, and fires one in the past at once", () =>
  Effect.gen(function* () {
    const memory = yield* MemoryJournal.make
    const { ask, system } = yield* engine(memory.layer)
    yield* TestClock.setTime(50_000)
    yield* ask(Remind.make({ key: "later", at: 60_000 }))
    yield* ask(Remind.make({ key: "later", at: 70_000 }))
    yield* ask(Remind.make({ key: "off", at: 60_000 }))
    yield* ask(Remind.make({ key: "off", at: null }))
    yield* ask(Remind.make({ key: "past", at: 1 }))
    yield* system.drain
    assert.deepStrictEqual((yield* ask(Read.make({}))).log, ["past 50000"])
    yield* TestClock.adjust(15_000)
    assert.deepStrictEqual((yield* ask(Read.make({}))).log, ["past 50000"])
    yield* TestClock.adjust(15_000)
    assert.deepStrictEqual((yield* ask(Read.make({}))).log, ["past 50000", "later 70000"])
  })
)

it.effect("starts a task at its time, or at the new time if it was moved", () =>
  Effect.gen(function* () {
    const memory = yield* MemoryJournal.make
    const starts: Array<string> = []
    const { ask } = yield* engine(memory.layer, {
      perform: (key) =>
        Effect.clockWith((clock) => Effect.sync(() => void starts.push(`${key} ${clock.currentTimeMillisUnsafe()}`)))
    })
    yield* ask(Start.make({ key: "a", at: 5_000 }))
    yield* ask(Start.make({ key: "b", at: 6_000 }))
    yield* ask(Start.make({ key: "b", at: 8_000 }))
    yield* TestClock.adjust(4_999)
    assert.deepStrictEqual(starts, [])
    yield* TestClock.adjust("1 minute")
    assert.deepStrictEqual(starts, ["a 5000", "b 8000"])
  })
)

it.effect("fires a deadline again if its decision could not be stored", () =>
  Effect.gen(function* () {
    const memory = yield* MemoryJournal.make
    const { ask } = yield* engine(memory.layer)
    yield* ask(Remind.make({ key: "a", at: 10_000 }))
    memory.failNext()
    memory.hold()
    yield* TestClock.adjust(10_000)
    memory.release()
    yield* TestClock.adjust("1 minute")
    assert.deepStrictEqual((yield* ask(Read.make({}))).log, ["a 11000"])
  })
)
