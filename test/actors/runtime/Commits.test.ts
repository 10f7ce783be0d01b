import { assert, it } from "@effect/vitest"
import { Effect, Fiber, type Layer, Logger } from "effect"
import { TestClock } from "effect/testing"
import type { Journal } from "../../../src/domain/ports/engine/Journal.ts"
import { MemoryJournal } from "../../../src/layers/journal/MemoryJournal.ts"
import {
  Add,
  Break,
  Create,
  engine,
  Flash,
  journalWith,
  Read,
  Refuse,
  Toy,
  type ToyCommand,
  type ToyDefinition
} from "./Toy.ts"
import { workspaceId } from "../../support/Ids.ts"

const keyed = (key: string) => ({
  workspace_id: workspaceId("w"),
  method: "POST",
  route: "/v1/toys",
  key,
  fingerprint: "f"
})
const stored = (memory: MemoryJournal, id = "one") =>
  JSON.parse(memory.tables.snapshot("Toy", id)?.state ?? "{}") as { readonly count?: number }

/** An engine that is asked without waiting, and what was answered to whom, in order. */
const asking = Effect.fnUntraced(function* (journal: Layer.Layer<Journal>, definition: ToyDefinition = Toy) {
  const { ask, system } = yield* engine(journal, { definition })
  const answers: Array<string> = []
  const send = (name: string, command: ToyCommand) =>
    ask(command).pipe(
      Effect.match({
        onFailure: (error) => (error._tag === "NotCommitted" ? error.reason : error.message),
        onSuccess: ({ count }) => count
      }),
      Effect.map((answer) => answers.push(`${name} ${answer}`)),
      Effect.forkChild({ startImmediately: true })
    )
  return { answers, ask, drain: system.drain, send, system }
})

it.effect("decides in the order of arrival, and replies in that order after the commit", () =>
  Effect.gen(function* () {
    const memory = yield* MemoryJournal.make
    const { answers, drain, send } = yield* asking(memory.layer)
    memory.hold()
    yield* send("a", Add.make({ amount: 1 }))
    yield* send("read", Read.make({}))
    yield* send("b", Add.make({ amount: 10 }))
    yield* send("refused", Refuse.make({}))
    yield* send("flash", Flash.make({}))
    yield* Effect.yieldNow
    assert.deepStrictEqual([answers, memory.pending], [[], 2])
    memory.release()
    yield* drain
    assert.deepStrictEqual(answers, ["a 1", "read 1", "b 11", "refused Refused at 11.", "flash 11"])
    assert.strictEqual(memory.commits, 1)
  })
)

it.effect("keeps the order of arrival during activation, ahead of immediate repetitions", () =>
  Effect.gen(function* () {
    const memory = yield* MemoryJournal.make
    const gate = Promise.withResolvers<void>()
    const { ask: tell, system } = yield* engine(
      journalWith(memory, ({ load }) => ({
        load: (type, id) =>
          Effect.andThen(
            Effect.promise(() => gate.promise),
            load(type, id)
          )
      }))
    )
    const seen: Array<number> = []
    const ask = (amount: number) => Effect.map(tell(Add.make({ amount })), ({ count }) => seen.push(count))
    yield* Effect.forkChild(Effect.andThen(tell(Read.make({})), ask(100)), { startImmediately: true })
    yield* Effect.forkChild(ask(1), { startImmediately: true })
    gate.resolve()
    yield* Effect.promise(() => gate.promise)
    yield* system.drain
    assert.deepStrictEqual(seen, [1, 101])
  })
)

it.effect("answers an immediate repetition after the messages that waited", () =>
  Effect.gen(function* () {
    const memory = yield* MemoryJournal.make
    const { answers, ask, drain, send } = yield* asking(memory.layer)
    const again = Effect.map(ask(Read.make({})), ({ count }) => answers.push(`again ${count}`))
    yield* Effect.forkChild(Effect.andThen(ask(Add.make({ amount: 1 })), again), { startImmediately: true })
    yield* send("waited", Read.make({}))
    yield* drain
    assert.deepStrictEqual(answers, ["waited 1", "again 1"])
  })
)

it.effect("reads the stored state once after an actor died while it answered", () =>
  Effect.gen(function* () {
    const memory = yield* MemoryJournal.make
    let loads = 0
    const { ask } = yield* asking(
      journalWith(memory, ({ load }) => ({
        load: (type, id) => Effect.suspend(() => (loads++, Effect.delay(load(type, id), 1)))
      }))
    )
    const all = Effect.gen(function* () {
      yield* ask(Add.make({ amount: 1 }))
      yield* Effect.flip(ask(Break.make({ where: "decide" })))
      return yield* ask(Add.make({ amount: 10 }))
    })
    const fiber = yield* Effect.forkChild(all, { startImmediately: true })
    yield* TestClock.adjust(1)
    yield* TestClock.adjust(1)
    assert.deepStrictEqual([(yield* Fiber.join(fiber)).count, loads], [11, 2])
  }).pipe(Effect.provide(Logger.layer([])))
)

it.effect("fails every decision that was built on a failed commit, and restarts from the stored state", () =>
  Effect.gen(function* () {
    const memory = yield* MemoryJournal.make
    const { answers, ask, drain, send } = yield* asking(memory.layer)
    yield* ask(Add.make({ amount: 1 }))
    memory.hold()
    yield* send("a", Add.make({ amount: 10 }))
    yield* send("read", Read.make({}))
    yield* send("b", Add.make({ amount: 100 }))
    memory.failNext()
    memory.release()
    yield* drain
    assert.deepStrictEqual(answers, ["a unavailable", "read unavailable", "b unavailable"])
    assert.strictEqual((yield* ask(Add.make({ amount: 2 }))).count, 3)
    assert.strictEqual(stored(memory).count, 3)
  })
)

it.effect("holds messages back after a failed commit until the last commit in flight has ended", () =>
  Effect.gen(function* () {
    const memory = yield* MemoryJournal.make
    const late: Array<() => void> = []
    const journal = journalWith(memory, ({ append }) => ({
      append: (entry, done) =>
        append(entry, (outcome) =>
          entry.snapshot?.state.includes(`"count":11,`) ? late.push(() => done(outcome)) : done(outcome)
        )
    }))
    const { answers, drain, send } = yield* asking(journal)
    memory.failNext()
    yield* send("a", Add.make({ amount: 1 }))
    yield* send("b", Add.make({ amount: 10 }))
    yield* Effect.yieldNow
    yield* send("c", Add.make({ amount: 100 }))
    yield* Effect.yieldNow
    assert.deepStrictEqual(answers, ["a unavailable"])
    late.forEach((come) => come())
    yield* drain
    assert.deepStrictEqual(answers, ["a unavailable", "b unavailable", "c 100"])
  })
)

it.effect("refuses only the caller whose key is taken, and repeats the other commands in order", () =>
  Effect.gen(function* () {
    const memory = yield* MemoryJournal.make
    const { answers, ask, drain, send } = yield* asking(memory.layer)
    yield* ask(Add.make({ amount: 1, idempotency: keyed("k") }))
    memory.hold()
    yield* send("a", Add.make({ amount: 10 }))
    yield* send("twice", Add.make({ amount: 1000, idempotency: keyed("k") }))
    yield* send("read", Read.make({}))
    yield* send("b", Add.make({ amount: 100 }))
    yield* send("read again", Read.make({}))
    memory.release()
    yield* drain
    assert.deepStrictEqual(answers, ["a 11", "twice duplicate", "read 11", "b 111", "read again 111"])
    assert.strictEqual(stored(memory).count, 111)
  })
)

it.effect("stores the reply of a request with a key, checked against the version even if nothing happened", () =>
  Effect.gen(function* () {
    const memory = yield* MemoryJournal.make
    const { ask } = yield* asking(memory.layer)
    const answerTo = (key: string) => [...memory.tables.idempotency.values()].find((row) => row.key === key)?.body
    yield* ask(Add.make({ amount: 5, idempotency: keyed("a") }))
    assert.strictEqual(answerTo("a"), "Add 5")
    assert.strictEqual(memory.commits, 1)
    yield* Effect.flip(ask(Refuse.make({ idempotency: keyed("b") })))
    assert.deepStrictEqual([answerTo("b"), memory.commits], [undefined, 1])
    yield* ask(Add.make({ amount: 0, idempotency: keyed("c") }))
    assert.deepStrictEqual([answerTo("c"), memory.tables.snapshot("Toy", "one")?.version], ["Add 5", 2])
  })
)

for (const where of ["decide", "evolve", "plan", "record"] as const) {
  it.effect(`stops at a defect of ${where}, harming nobody else`, () =>
    Effect.gen(function* () {
      const memory = yield* MemoryJournal.make
      const { answers, drain, send } = yield* asking(memory.layer)
      memory.hold()
      yield* send("a", Add.make({ amount: 1 }))
      yield* send("broken", Break.make({ where }))
      yield* send("b", Add.make({ amount: 10 }))
      assert.deepStrictEqual(answers, ["broken unavailable"])
      memory.release()
      yield* drain
      assert.deepStrictEqual(answers, ["broken unavailable", "a 1", "b 11"])
      assert.strictEqual(stored(memory).count, 11)
    }).pipe(Effect.provide(Logger.layer([])))
  )
}

it.effect("refuses a former owner, which then reads what the new owner wrote", () =>
  Effect.gen(function* () {
    const memory = yield* MemoryJournal.make
    const old = yield* asking(memory.layer)
    yield* old.ask(Create.make({ count: 1 }))
    const next = yield* asking(memory.layer)
    yield* next.ask(Add.make({ amount: 10 }))
    const error = yield* Effect.flip(old.ask(Add.make({ amount: 100 })))
    assert.deepInclude(error, { _tag: "NotCommitted", reason: "stale" })
    assert.strictEqual(stored(memory).count, 11)
    assert.strictEqual((yield* old.ask(Read.make({}))).count, 11)
  })
)

it.effect("refuses a former owner even if it only stores a reply", () =>
  Effect.gen(function* () {
    const memory = yield* MemoryJournal.make
    const old = yield* asking(memory.layer)
    yield* old.ask(Add.make({ amount: 1 }))
    const next = yield* asking(memory.layer)
    yield* next.ask(Add.make({ amount: 10 }))
    const error = yield* Effect.flip(old.ask(Add.make({ amount: 0, idempotency: keyed("k") })))
    assert.deepInclude(error, { reason: "stale" })
    assert.strictEqual(memory.tables.idempotency.size, 0)
  })
)

it.effect("creates a new actor without a read, and reads if it exists after all", () =>
  Effect.gen(function* () {
    const memory = yield* MemoryJournal.make
    const loads: Array<string> = []
    const counting = journalWith(memory, ({ load }) => ({
      load: (type, id) =>
        Effect.andThen(
          Effect.sync(() => loads.push(id)),
          load(type, id)
        )
    }))
    const first = yield* engine(counting)
    assert.strictEqual((yield* first.ask(Create.make({ count: 5 }))).count, 5)
    assert.deepStrictEqual(loads, [])
    const { answers, drain, send } = yield* asking(memory.layer)
    memory.hold()
    yield* send("create", Create.make({ count: 50 }))
    yield* send("a", Add.make({ amount: 1 }))
    yield* send("read", Read.make({}))
    memory.release()
    yield* drain
    assert.deepStrictEqual(answers, ["create It exists.", "a 6", "read 6"])
  })
)

it.effect("does not believe that an actor is new when its creation was refused", () =>
  Effect.gen(function* () {
    const memory = yield* MemoryJournal.make
    const first = yield* engine(memory.layer)
    yield* first.ask(Add.make({ amount: 5 }))
    const second = yield* asking(memory.layer, { ...Toy, creates: ({ _tag }) => _tag === "Refuse" })
    yield* second.send("create", Refuse.make({}))
    assert.strictEqual((yield* second.ask(Read.make({}))).count, 5)
  })
)

it.effect("refuses commands while the database is down, and works again once it is up", () =>
  Effect.gen(function* () {
    const memory = yield* MemoryJournal.make
    const { ask } = yield* asking(memory.layer)
    yield* ask(Add.make({ amount: 1 }))
    memory.goDown()
    assert.deepInclude(yield* Effect.flip(ask(Add.make({ amount: 1 }))), { reason: "unavailable" })
    assert.deepInclude(yield* Effect.flip(ask(Read.make({}))), { reason: "unavailable" })
    memory.comeUp()
    assert.strictEqual((yield* ask(Read.make({}))).count, 1)
  })
)

it.effect("loses volatile changes when the actor leaves memory, and stores none", () =>
  Effect.gen(function* () {
    const memory = yield* MemoryJournal.make
    const { ask, system } = yield* asking(memory.layer)
    yield* ask(Add.make({ amount: 1 }))
    yield* ask(Flash.make({}))
    assert.deepInclude(yield* ask(Flash.make({})), { count: 1, flashes: 2 })
    assert.strictEqual(memory.commits, 1)
    yield* TestClock.adjust("5 seconds")
    assert.strictEqual(yield* system.resident, 0)
    assert.deepInclude(yield* ask(Read.make({})), { count: 1, flashes: 0 })
  })
)
