// Two actors that are asked in one turn: both decisions are stored, or neither is.
import { assert, it } from "@effect/vitest"
import { Effect, Exit, type Layer, Logger, Result, Tracer } from "effect"
import { TestClock } from "effect/testing"
import { makeCells } from "../../../src/actors/runtime/Cells.ts"
import { erase } from "../../../src/actors/runtime/Erased.ts"
import { askTied } from "../../../src/actors/runtime/OneTurn.ts"
import type { Journal } from "../../../src/domain/ports/engine/Journal.ts"
import { MemoryJournal } from "../../../src/layers/journal/MemoryJournal.ts"
import { workspaceId } from "../../support/Ids.ts"
import { Add, countedIds, engine, Flash, journalWith, Read, Toy, ToyCommands, type ToyDefinition } from "./Toy.ts"

const keyed = (key: string) => ({
  workspace_id: workspaceId("w"),
  method: "POST",
  route: "/v1/toys",
  key,
  fingerprint: "f"
})

/** The stored count of a toy; undefined if it was never stored. */
const stored = (memory: MemoryJournal, id: string) => {
  const row = memory.tables.snapshot("Toy", id)
  return row && (JSON.parse(row.state) as { readonly count: number }).count
}

const add = (id: string, amount: number, key?: string) => ({
  command: ToyCommands.Add,
  id,
  payload: { amount, ...(key !== undefined && { idempotency: keyed(key) }) }
})
const create = (id: string, count: number) => ({ command: ToyCommands.Create, id, payload: { count } })
const refuse = (id: string) => ({ command: ToyCommands.Refuse, id, payload: {} })

type Second = ReturnType<typeof add> | ReturnType<typeof create> | ReturnType<typeof refuse>

/** An engine that is asked without waiting, and what was answered to whom, in order. */
const asking = Effect.fnUntraced(function* (journal: Layer.Layer<Journal>, definition: ToyDefinition = Toy) {
  const { ask, system } = yield* engine(journal, { definition })
  const answers: Array<string> = []
  const noted = <E extends { readonly _tag: string; readonly message: string }>(
    name: string,
    asked: Effect.Effect<string, E>
  ) =>
    Effect.forkChild(
      Effect.map(Effect.result(asked), (result) => {
        const error = Result.isFailure(result) ? result.failure : undefined
        const failed = error !== undefined && "reason" in error ? String(error.reason) : error?.message
        answers.push(`${name} ${Result.isSuccess(result) ? result.success : failed}`)
      }),
      { startImmediately: true }
    )
  return {
    answers,
    ask,
    system,
    drain: system.drain,
    read: (id: string) => Effect.map(ask(Read.make({}), id), ({ count }) => count),
    send: (name: string, id: string, amount: number) =>
      noted(
        name,
        Effect.map(ask(Add.make({ amount }), id), ({ count }) => String(count))
      ),
    /** The replies of both, as in 11/22. */
    tie: (name: string, first: ReturnType<typeof add>, second: (count: number) => Second) =>
      noted(
        name,
        Effect.map(
          system.askTied(first, ({ count }) => second(count) as ReturnType<typeof add>),
          (replies) => `${replies.first.count}/${replies.second?.count ?? "none"}`
        )
      )
  }
})

it.effect("stores two decisions in one commit, and tells nobody of either before", () =>
  Effect.gen(function* () {
    const memory = yield* MemoryJournal.make
    const { answers, drain, send, tie } = yield* asking(memory.layer)
    yield* send("before", "one", 1)
    yield* drain
    memory.hold()
    yield* tie("tied", add("one", 10), (count) => create("two", count * 2))
    yield* send("meanwhile", "one", 100)
    yield* send("of the other", "two", 1000)
    yield* Effect.yieldNow
    assert.deepStrictEqual([answers, memory.pending], [["before 1"], 4])
    assert.isUndefined(stored(memory, "two"))
    memory.release()
    yield* drain
    assert.deepStrictEqual(answers, ["before 1", "tied 11/22", "meanwhile 111", "of the other 1022"])
    assert.strictEqual(memory.commits, 2)
  })
)

it.effect("asks the second actor also after the first had to be read", () =>
  Effect.gen(function* () {
    const memory = yield* MemoryJournal.make
    const earlier = yield* asking(memory.layer)
    yield* earlier.send("a", "one", 5)
    yield* earlier.drain
    const { answers, drain, tie } = yield* asking(memory.layer)
    const before = memory.commits
    yield* tie("tied", add("one", 1), (count) => create("two", count))
    yield* drain
    assert.deepStrictEqual([answers, memory.commits - before], [["tied 6/6"], 1])
  })
)

it.effect("stores nothing of the first if the second refuses", () =>
  Effect.gen(function* () {
    const memory = yield* MemoryJournal.make
    const { answers, drain, read, send, tie } = yield* asking(memory.layer)
    yield* send("a", "one", 1)
    yield* send("b", "two", 2)
    yield* drain
    yield* tie("tied", add("one", 10), () => refuse("two"))
    yield* drain
    assert.deepStrictEqual(answers, ["a 1", "b 2", "tied Refused at 2."])
    assert.deepStrictEqual([yield* read("one"), stored(memory, "one"), memory.commits], [1, 1, 1])
  })
)

it.effect("asks the second nothing if the first refuses", () =>
  Effect.gen(function* () {
    const memory = yield* MemoryJournal.make
    const { answers, drain, tie } = yield* asking(memory.layer)
    yield* tie("tied", refuse("one") as unknown as ReturnType<typeof add>, () => create("two", 1))
    yield* drain
    assert.deepStrictEqual([answers, memory.commits], [["tied Refused at 0."], 0])
  })
)

it.effect("asks only the first if the second is not in memory, does not change, or is the first itself", () =>
  Effect.gen(function* () {
    const memory = yield* MemoryJournal.make
    const { answers, drain, send, tie } = yield* asking(memory.layer)
    yield* tie("not read", add("one", 1), () => add("two", 1))
    yield* send("a", "two", 1)
    yield* drain
    yield* tie("unchanged", add("one", 1), () => add("two", 0))
    const before = memory.commits
    yield* tie("itself", add("one", 1), () => add("one", 1))
    yield* drain
    assert.strictEqual(memory.commits - before, 1)
    yield* tie("nothing to store", add("one", 0), () => create("three", 1))
    yield* drain
    assert.deepStrictEqual(answers, [
      "not read 1/none",
      "a 1",
      "unchanged 2/none",
      "itself 3/none",
      "nothing to store 3/none"
    ])
    assert.deepStrictEqual([stored(memory, "one"), stored(memory, "two"), stored(memory, "three")], [3, 1, undefined])
  })
)

it.effect("asks only the first if the second dies of its command", () =>
  Effect.gen(function* () {
    const memory = yield* MemoryJournal.make
    const dying: ToyDefinition = {
      ...Toy,
      decide: (state, command, now) => {
        if (command._tag === "Create") throw new Error("broken create")
        return Toy.decide(state, command, now)
      }
    }
    const { answers, drain, system, tie } = yield* asking(memory.layer, dying)
    yield* tie("tied", add("one", 1), () => create("two", 1))
    yield* drain
    assert.deepStrictEqual([answers, yield* system.resident], [["tied 1/none"], 1])
  })
)

it.effect("stores neither decision if the commit fails, and works again after it", () =>
  Effect.gen(function* () {
    const memory = yield* MemoryJournal.make
    const { answers, drain, read, send, tie } = yield* asking(memory.layer)
    yield* send("a", "one", 1)
    yield* drain
    memory.failNext()
    yield* tie("tied", add("one", 10), () => create("two", 1))
    yield* drain
    assert.deepStrictEqual(answers, ["a 1", "tied unavailable"])
    assert.deepStrictEqual([yield* read("one"), stored(memory, "two")], [1, undefined])
    yield* tie("again", add("one", 10), () => create("two", 1))
    yield* drain
    assert.deepStrictEqual(answers.at(-1), "again 11/1")
  })
)

it.effect("asks the first by itself if one of both met another version, and repeats what followed", () =>
  Effect.gen(function* () {
    const memory = yield* MemoryJournal.make
    const other = yield* asking(memory.layer)
    yield* other.tie("of another process", add("zero", 1), () => create("two", 5))
    yield* other.drain
    const { answers, drain, send, tie } = yield* asking(memory.layer)
    yield* send("a", "one", 1)
    yield* drain
    memory.hold()
    yield* tie("tied", add("one", 10), () => create("two", 50))
    yield* tie("later", add("one", 100), () => create("three", 3))
    yield* send("last", "one", 1000)
    memory.release()
    yield* drain
    assert.deepStrictEqual(answers, ["a 1", "tied 11/none", "later 111/3", "last 1111"])
    assert.deepStrictEqual([stored(memory, "one"), stored(memory, "two"), stored(memory, "three")], [1111, 5, 3])
  })
)

it.effect("reads the first again if another process wrote it", () =>
  Effect.gen(function* () {
    const memory = yield* MemoryJournal.make
    const old = yield* asking(memory.layer)
    yield* old.send("a", "one", 1)
    yield* old.drain
    const next = yield* asking(memory.layer)
    yield* next.send("b", "one", 10)
    yield* next.drain
    yield* old.tie("tied", add("one", 100), (count) => create("two", count))
    yield* old.drain
    assert.deepStrictEqual(
      [old.answers, stored(memory, "one"), stored(memory, "two")],
      [["a 1", "tied 111/none"], 111, undefined]
    )
  })
)

it.effect("refuses both for a key that is taken, and repeats only what others asked", () =>
  Effect.gen(function* () {
    const memory = yield* MemoryJournal.make
    const { answers, drain, send, tie } = yield* asking(memory.layer)
    const keyedCreate: ToyDefinition = { ...Toy, creates: ({ _tag }) => _tag === "Add" }
    const fresh = yield* asking(memory.layer, keyedCreate)
    yield* fresh.tie("first", add("one", 1), () => add("two", 1, "k"))
    yield* fresh.drain
    memory.hold()
    yield* fresh.tie("repeated", add("one", 10), () => add("three", 1, "k"))
    yield* fresh.send("other", "one", 100)
    yield* fresh.tie("tied", add("one", 1000), () => add("four", 4))
    memory.release()
    yield* fresh.drain
    assert.deepStrictEqual(fresh.answers, ["first 1/1", "repeated duplicate", "other 101", "tied 1101/4"])
    assert.deepStrictEqual([stored(memory, "one"), stored(memory, "three")], [1101, undefined])
    yield* send("unharmed", "five", 1)
    yield* tie("also", add("five", 1), () => create("six", 6))
    yield* drain
    assert.deepStrictEqual(answers, ["unharmed 1", "also 2/6"])
  })
)

it.effect("ties in opposite orders without waiting for each other", () =>
  Effect.gen(function* () {
    const memory = yield* MemoryJournal.make
    const { answers, drain, send, tie } = yield* asking(memory.layer)
    yield* send("a", "one", 1)
    yield* send("b", "two", 2)
    yield* drain
    memory.hold()
    yield* tie("there", add("one", 10), () => add("two", 10))
    yield* tie("back", add("two", 100), () => add("one", 100))
    memory.release()
    yield* drain
    assert.deepStrictEqual(answers, ["a 1", "b 2", "there 11/12", "back 112/111"])
    assert.deepStrictEqual([stored(memory, "one"), stored(memory, "two")], [111, 112])
  })
)

it.effect("answers a tied question while a volatile change of the first waits", () =>
  Effect.gen(function* () {
    const memory = yield* MemoryJournal.make
    const { answers, ask, drain, send, tie } = yield* asking(memory.layer)
    yield* send("a", "one", 1)
    yield* drain
    yield* ask(Flash.make({}), "one")
    yield* tie("tied", add("one", 1), () => create("two", 2))
    yield* drain
    assert.deepStrictEqual(answers, ["a 1", "tied 2/2"])
  })
)

it.effect("lets both actors leave memory when they are idle", () =>
  Effect.gen(function* () {
    const memory = yield* MemoryJournal.make
    const { drain, read, system, tie } = yield* asking(memory.layer)
    yield* tie("tied", add("one", 1), () => create("two", 2))
    yield* drain
    yield* TestClock.adjust("1 minute")
    assert.strictEqual(yield* system.resident, 0)
    assert.deepStrictEqual([yield* read("one"), yield* read("two")], [1, 2])
  })
)

it.effect("tells nobody of a decision whose journal never answers, and starts again from what is stored", () =>
  Effect.gen(function* () {
    const memory = yield* MemoryJournal.make
    const { answers, send, drain, tie } = yield* asking(
      journalWith(memory, ({ appendTied }) => ({
        appendTied: (unit) => appendTied(unit.map(({ entry }) => ({ entry, done: () => {} })))
      }))
    )
    yield* send("a", "one", 1)
    yield* drain
    yield* tie("tied", add("one", 10), () => create("two", 2))
    for (let turn = 0; turn < 10; turn++) yield* Effect.yieldNow
    assert.deepStrictEqual(answers, ["a 1"])
    memory.crash()
    const next = yield* asking(memory.layer)
    assert.deepStrictEqual([yield* next.read("one"), yield* next.read("two")], [11, 2])
  }).pipe(Effect.provide(Logger.layer([])))
)

it.effect("asks only the first if another process runs the second", () =>
  Effect.gen(function* () {
    const memory = yield* MemoryJournal.make
    const cells = yield* makeCells.pipe(Effect.provide([memory.layer, countedIds]))
    cells.register(erase(Toy), () => Effect.never)
    cells.placement = { ...cells.placement, owns: (_, id) => id !== "two" }
    const tie = (id: string) => askTied(cells, add("one", 1), () => create(id, 1), undefined)
    assert.notProperty(yield* tie("two"), "second")
    assert.property(yield* tie("three"), "second")
    assert.deepStrictEqual([stored(memory, "one"), stored(memory, "two"), stored(memory, "three")], [2, undefined, 1])
  })
)

it.effect("makes a span of each command, in the trace of who asks, and ends both with the outcome", () =>
  Effect.gen(function* () {
    const memory = yield* MemoryJournal.make
    const spans: Array<Tracer.Span> = []
    const tracer = Tracer.make({
      span: (options) => {
        const span = new Tracer.NativeSpan(options)
        spans.push(span)
        return span
      }
    })
    const appended: Array<ReadonlyArray<string | undefined>> = []
    const journal = journalWith(memory, ({ appendTied }) => ({
      appendTied: (unit) => {
        appended.push(unit.map(({ span }) => span?.name))
        appendTied(unit)
      }
    }))
    const seen = () =>
      spans
        .filter(({ name }) => name.startsWith("Toy."))
        .map(({ name, parent, status }) => [
          name,
          parent._tag === "Some" && parent.value._tag === "Span" ? parent.value.name : "none",
          status._tag === "Ended" ? status.exit._tag : status._tag
        ])
    yield* Effect.gen(function* () {
      const { system } = yield* engine(journal)
      const asked = (second: () => Second) =>
        system.askTied(add("one", 1), second as () => ReturnType<typeof add>).pipe(Effect.withSpan("asks"), Effect.exit)
      assert.isTrue(Exit.isSuccess(yield* asked(() => create("two", 2))))
      assert.deepStrictEqual(seen(), [
        ["Toy.Add", "asks", "Success"],
        ["Toy.Create", "asks", "Success"]
      ])
      assert.deepStrictEqual(appended, [["Toy.Create", "Toy.Add"]])
      assert.isTrue(Exit.isFailure(yield* asked(() => refuse("two"))))
      memory.failNext()
      assert.isTrue(Exit.isFailure(yield* asked(() => create("three", 3))))
      assert.deepStrictEqual(seen().slice(2), [
        ["Toy.Add", "asks", "Failure"],
        ["Toy.Add", "asks", "Failure"],
        ["Toy.Create", "asks", "Failure"]
      ])
    }).pipe(Effect.withTracer(tracer))
  }).pipe(Effect.provide(Logger.layer([])))
)
