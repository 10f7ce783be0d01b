// Windows of two engines in turn, on one PostgreSQL.
import { Console, Effect } from "effect"
import type { Operation } from "./Operations.ts"
import type { Engine } from "./Engine.ts"
import { findingsOf, some, type WindowPair } from "./Report.ts"

export interface Lengths {
  /** Pairs that are measured in any case. */
  readonly rounds: number
  /** How long to go on measuring while it is undecided. */
  readonly longest_ms: number
}

export interface Engines {
  readonly before: Engine
  readonly now: Engine
}

/** A pair, the older engine first in every other one. */
const pairOf = (operation: Operation, { before, now }: Engines, round: number) =>
  Effect.gen(function* () {
    if (round % 2 === 0) return { before: yield* operation.window(before), now: yield* operation.window(now) }
    const later = yield* operation.window(now)
    return { before: yield* operation.window(before), now: later }
  })

/** Measures until every figure that is judged is decided, for `longest_ms` at most. */
export const measure = (operation: Operation, engines: Engines, { longest_ms, rounds }: Lengths) =>
  Effect.gen(function* () {
    const { before, now } = engines
    for (const engine of [before, now]) {
      yield* operation.prepare(engine)
      yield* operation.window(engine, operation.warm_up)
    }
    const windows: Array<WindowPair> = []
    const begun = performance.now()
    const undecided = () => some(findingsOf(operation.metrics, windows), "undecided")
    while (windows.length < rounds || (performance.now() - begun < longest_ms && undecided())) {
      windows.push(yield* pairOf(operation, engines, windows.length))
    }
    for (const engine of [before, now]) yield* operation.clean(engine)
    yield* Console.log(`  ${operation.name}: ${windows.length} pairs of ${operation.of}`)
    return findingsOf(operation.metrics, windows)
  })
