// The cost of the actor runtime itself: asks, commits and activations a second, and memory, with a journal that stores
// nothing.
import { Effect, Layer, Result, Schema } from "effect"
import { ActorSystem } from "../src/actors/runtime/ActorSystem.ts"
import { makeCells } from "../src/actors/runtime/Cells.ts"
import { actor } from "../src/actors/runtime/Definition.ts"
import { erase } from "../src/actors/runtime/Erased.ts"
import * as LocalSystem from "../src/actors/runtime/LocalSystem.ts"
import { commandsOf, type Decide } from "../src/domain/Command.ts"
import { storedState } from "../src/domain/state/StoredState.ts"
import { type Decided, deadline } from "../src/domain/Decision.ts"
import { Journal } from "../src/domain/ports/engine/Journal.ts"
import type { Committed } from "../src/domain/journal/Rows.ts"
import * as SystemIds from "../src/layers/ids/SystemIds.ts"
import type { BenchRow } from "./Row.ts"

interface Counter {
  readonly count: number
  readonly deadlines: ReadonlyArray<number>
}
type Command = { readonly _tag: "Read" } | { readonly _tag: "Add" } | { readonly _tag: "Remind"; readonly at: number }

const keys = ["a", "b", "c", "d"]
const read: Command = { _tag: "Read" }
const add: Command = { _tag: "Add" }

const CounterCommands = commandsOf("Counter", {
  Read: { reply: Schema.Number },
  Add: { reply: Schema.Number },
  Remind: { payload: { at: Schema.Number }, reply: Schema.Number }
})

const decide = (state: Counter, command: Command): Decided<Counter, number, never> => {
  const { count, deadlines } = state
  if (command._tag === "Read") return Result.succeed({ events: [], reply: count })
  const next =
    command._tag === "Add"
      ? { count: count + 1, deadlines }
      : { count, deadlines: keys.map((_, index) => command.at + index) }
  return Result.succeed({ events: [next], reply: next.count })
}

const counterState = storedState({
  schema: Schema.Struct({ count: Schema.Number, deadlines: Schema.Array(Schema.Number) }),
  upgrades: []
})

const Counter = actor<Counter, typeof CounterCommands, Counter, never>({
  type: "Counter",
  commands: CounterCommands,
  initial: () => ({ count: 0, deadlines: [] }),
  restore: counterState.restore((counter) => counter),
  decide: decide as Decide<Counter, typeof CounterCommands, Counter>,
  evolve: (_, next) => next,
  plan: ({ deadlines }) => deadlines.map((at, index) => deadline(keys[index]!, at, add)),
  record: ({ after }) => ({ workspace_id: null, state: `{"count":${after.count},"deadlines":[]}`, columns: {} })
})

/** Acknowledges a whole batch at the end of the turn, like a journal after its transaction. */
const yesJournal = Layer.sync(Journal, () => {
  let waiting: Array<(outcome: Committed) => void> = []
  const commit = () => {
    const batch = waiting
    waiting = []
    for (const done of batch) done({ ok: true })
  }
  return {
    append: (_, done) => {
      if (waiting.push(done) === 1) setImmediate(commit)
    },
    appendTied: (unit) => {
      for (const { done } of unit) if (waiting.push(done) === 1) setImmediate(commit)
    },
    load: () => Effect.succeed(undefined),
    alarms: () => Effect.succeed([]),
    postpone: () => Effect.void,
    onFanOut: () => () => {}
  }
})

const layer = LocalSystem.layer.pipe(Layer.provide([yesJournal, SystemIds.layer]))

/** Asks a second from `lanes` callers, each of which waits for its answer before it asks again. */
const asks = (command: Command, lanes: number, duration_ms: number, idOf: (lane: number) => string) =>
  Effect.gen(function* () {
    const system = yield* ActorSystem
    const start = performance.now()
    let count = 0
    const lane = (index: number) =>
      Effect.gen(function* () {
        const id = idOf(index)
        while (performance.now() - start < duration_ms) {
          for (let turn = 0; turn < 16; turn++) yield* system.ask(Counter, id, command)
          count += 16
        }
      })
    yield* Effect.forEach(Array.from({ length: lanes }).keys(), lane, { concurrency: "unbounded", discard: true })
    return (count / (performance.now() - start)) * 1_000
  })

/** Commits a second on the cells directly, without a fiber for each caller. */
const commits = (actors: number, duration_ms: number) =>
  Effect.gen(function* () {
    const cells = yield* makeCells
    const counter = erase(Counter)
    cells.register(counter, () => Effect.never)
    const start = performance.now()
    let count = 0
    yield* Effect.callback<void>((resume) => {
      let running = actors
      const next = (id: string): void =>
        cells.route(counter, id, add, () => {
          count++
          if (performance.now() - start < duration_ms) next(id)
          else if (--running === 0) resume(Effect.void)
        })
      for (let index = 0; index < actors; index++) next(`${index}`)
    })
    return (count / (performance.now() - start)) * 1_000
  })

const activations = (count: number) =>
  Effect.gen(function* () {
    const system = yield* ActorSystem
    const start = performance.now()
    for (let index = 0; index < count; index++) yield* system.ask(Counter, `fresh-${index}`, read)
    return (count / (performance.now() - start)) * 1_000
  })

const heap = () => {
  globalThis.gc?.()
  globalThis.gc?.()
  return process.memoryUsage().heapUsed
}

/** Bytes per cell after the command, including its state and id. */
const memory = (count: number, command: Command) =>
  Effect.gen(function* () {
    const system = yield* ActorSystem
    yield* system.ask(Counter, "first", command)
    // Garbage of the previous measurement is only collected when its fibers have ended.
    yield* Effect.sleep("100 millis")
    const before = heap()
    for (let index = 0; index < count; index++) yield* system.ask(Counter, `cell-${index}`, command)
    yield* system.drain
    return (heap() - before) / count
  })

const engine = <A>(effect: Effect.Effect<A, unknown, ActorSystem>) =>
  Effect.gen(function* () {
    const system = yield* ActorSystem
    yield* system.register(Counter, () => Effect.never)
    return yield* effect
  }).pipe(Effect.provide(Layer.fresh(layer)))

export interface RuntimeBenchOptions {
  /** Duration of each measurement. Default: 2,000. */
  readonly duration_ms?: number
}

/** Rows for the table of `npm run bench`. Memory is measured only under `node --expose-gc`. */
export const runtimeBench = ({ duration_ms = 2_000 }: RuntimeBenchOptions = {}): Effect.Effect<
  ReadonlyArray<BenchRow>,
  unknown
> =>
  Effect.gen(function* () {
    const lanes = 256
    const apart = (lane: number) => `${lane}`
    const rows: Array<BenchRow> = [
      { name: "asks that commit nothing", value: yield* engine(asks(read, lanes, duration_ms, apart)), unit: "/s" },
      { name: "asks that commit", value: yield* engine(asks(add, lanes, duration_ms, apart)), unit: "/s" },
      {
        name: "asks that commit, one hot actor",
        value: yield* engine(asks(add, lanes, duration_ms, () => "hot")),
        unit: "/s"
      },
      {
        name: "commits through the cells",
        value: yield* Effect.scoped(commits(lanes, duration_ms)).pipe(Effect.provide([yesJournal, SystemIds.layer])),
        unit: "/s"
      },
      { name: "activations", value: yield* engine(activations(50_000)), unit: "/s" }
    ]
    if (globalThis.gc === undefined) return rows
    const at = Date.now() + 50_000
    return [
      ...rows,
      { name: "an idle actor in memory", value: yield* engine(memory(50_000, read)), unit: "bytes" },
      {
        name: "an actor with four deadlines",
        value: yield* engine(memory(50_000, { _tag: "Remind", at })),
        unit: "bytes"
      }
    ]
  })

if (import.meta.main) {
  const rows = await Effect.runPromise(runtimeBench())
  console.table(rows.map(({ name, unit, value }) => ({ name, value: Number(value.toPrecision(4)), unit })))
}
