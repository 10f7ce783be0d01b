import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { FairTurns, type FairTurnsOptions } from "../../../../../src/layers/pbx/asterisk/sounds/FairTurns.ts"

const options: FairTurnsOptions = {
  running: { all: 2, workspace: 1 },
  waiting: { all: 20, workspace: 10 },
  wait_ms: 30_000
}

/** Jobs that take a second each. `order` has their names as they end. */
const makeJobs = (change: Partial<FairTurnsOptions> = {}) => {
  const turns = new FairTurns({ ...options, ...change })
  const order: Array<string> = []
  const running = { now: 0, most: 0 }
  const job = (name: string) =>
    turns.run(
      name.charAt(0),
      Effect.sync(() => {
        running.most = Math.max(running.most, ++running.now)
      }).pipe(
        Effect.andThen(Effect.sleep("1 second")),
        Effect.andThen(Effect.sync(() => order.push(name))),
        Effect.ensuring(Effect.sync(() => running.now--))
      )
    )
  const begin = (...names: ReadonlyArray<string>) =>
    Effect.forEach(names, (name) => Effect.forkChild(Effect.exit(job(name)), { startImmediately: true }))
  return { begin, job, order, running }
}

const errorOf = <A, E>(effect: Effect.Effect<A, E>) => Effect.map(Effect.flip(effect), (error) => error)

describe("jobs of several workspaces", () => {
  it.effect("take turns: one job of another workspace at most is ahead of a new one", () =>
    Effect.gen(function* () {
      const { begin, order, running } = makeJobs({ running: { all: 1, workspace: 1 } })
      yield* begin("a1", "a2", "a3", "a4", "b1", "c1")
      yield* TestClock.adjust("6 seconds")
      assert.deepStrictEqual(order, ["a1", "a2", "b1", "c1", "a3", "a4"])
      assert.strictEqual(running.most, 1)
    })
  )

  it.effect("leave a place for another workspace, however many one has", () =>
    Effect.gen(function* () {
      const { begin, order, running } = makeJobs()
      yield* begin("a1", "a2", "a3")
      yield* TestClock.adjust("500 millis")
      yield* begin("b1")
      assert.strictEqual(running.now, 2)
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual(order, ["a1", "b1"])
      yield* TestClock.adjust("2 seconds")
      assert.deepStrictEqual(order, ["a1", "b1", "a2", "a3"])
      assert.strictEqual(running.most, 2)
    })
  )

  it.effect("are refused if too many of the workspace wait, and those of others are not", () =>
    Effect.gen(function* () {
      const { begin, job, order } = makeJobs({ waiting: { all: 20, workspace: 2 } })
      yield* begin("a1", "a2", "a3")
      assert.deepInclude(yield* errorOf(job("a4")), { error: "sounds_busy" })
      yield* begin("b1")
      yield* TestClock.adjust("3 seconds")
      assert.deepStrictEqual(order, ["a1", "b1", "a2", "a3"])
    })
  )

  it.effect("are refused if too many of all workspaces wait", () =>
    Effect.gen(function* () {
      const { begin, job } = makeJobs({ waiting: { all: 2, workspace: 2 } })
      yield* begin("a1", "b1", "c1", "d1")
      assert.deepInclude(yield* errorOf(job("e1")), { error: "sounds_busy" })
    })
  )

  it.effect("are refused once they have waited too long, and leave no place occupied", () =>
    Effect.gen(function* () {
      const { begin, job, order } = makeJobs({ wait_ms: 500 })
      yield* begin("a1")
      const late = yield* Effect.forkChild(errorOf(job("a2")), { startImmediately: true })
      yield* TestClock.adjust("500 millis")
      assert.deepInclude(yield* Fiber.join(late), { error: "sounds_busy" })
      yield* TestClock.adjust("500 millis")
      yield* begin("a3")
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual(order, ["a1", "a3"])
    })
  )

  it.effect("make room when they are interrupted, waiting or running", () =>
    Effect.gen(function* () {
      const { begin, order } = makeJobs({ running: { all: 1, workspace: 1 } })
      const [running, waiting] = yield* begin("a1", "a2", "a3")
      yield* TestClock.adjust("100 millis")
      yield* Fiber.interrupt(waiting!)
      yield* Fiber.interrupt(running!)
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual(order, ["a3"])
    })
  )
})
