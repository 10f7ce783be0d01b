import { assert, it } from "@effect/vitest"
import { Clock, Effect, Logger } from "effect"
import { TestClock } from "effect/testing"
import { type Timer } from "../../../src/actors/runtime/TimerHeap.ts"
import { Timers } from "../../../src/actors/runtime/Timers.ts"

const make = Effect.gen(function* () {
  const clock = yield* Clock.Clock
  const runFork = Effect.runForkWith(yield* Effect.context<never>())
  return { clock, timers: new Timers(clock, runFork) }
})

/** A small generator of numbers below `bound`, the same for the same seed. */
const randomly = (seed: number) => (bound: number) => {
  seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0
  return seed % bound
}

it.effect("fires each timer at its time and in order, and never a cancelled one", () =>
  Effect.gen(function* () {
    for (let seed = 1; seed <= 5; seed++) {
      const { clock, timers } = yield* make
      const start = clock.currentTimeMillisUnsafe()
      const random = randomly(seed)
      const fired: Array<readonly [due: number, at: number]> = []
      const live = new Map<number, Timer>()
      let expected = 0
      for (let index = 0; index < 20_000; index++) {
        const due = start + random(10_000)
        live.set(
          index,
          timers.set(due, () => fired.push([due, clock.currentTimeMillisUnsafe()]))
        )
        expected++
        for (const victim of [live.get(random(index + 1)), live.get(index - random(9))]) {
          if (victim === undefined || victim.cancelled) continue
          timers.cancel(victim)
          expected--
        }
      }
      yield* TestClock.adjust(10_000)
      assert.strictEqual(fired.length, expected)
      assert.isTrue(fired.every(([due, at]) => due === at || (due === start && at === start)))
    }
  })
)

it.effect("fires a timer in the past soon, but not inside the call that sets it", () =>
  Effect.gen(function* () {
    const { timers } = yield* make
    const fired: Array<string> = []
    timers.set(-5, () => fired.push("past"))
    assert.deepStrictEqual(fired, [])
    yield* Effect.yieldNow
    assert.deepStrictEqual(fired, ["past"])
  })
)

it.effect("fires thousands of timers of one instant, and those that they set", () =>
  Effect.gen(function* () {
    const { clock, timers } = yield* make
    const fired: Array<number> = []
    for (let index = 0; index < 2_000; index++) {
      timers.set(1_000, () => timers.set(1_500, () => fired.push(clock.currentTimeMillisUnsafe())))
    }
    yield* TestClock.adjust("1 hour")
    assert.strictEqual(fired.length, 2_000)
    assert.isTrue(fired.every((at) => at === 1_500))
  })
)

it.effect("survives a timer that throws, and fires none once it is closed", () =>
  Effect.gen(function* () {
    const { timers } = yield* make
    const fired: Array<string> = []
    timers.set(1, () => {
      throw new Error("no luck")
    })
    timers.set(1, () => fired.push("after"))
    yield* TestClock.adjust(1)
    assert.deepStrictEqual(fired, ["after"])
    timers.set(5, () => fired.push("closed"))
    timers.close()
    timers.set(5, () => fired.push("too late"))
    yield* TestClock.adjust(10)
    assert.deepStrictEqual(fired, ["after"])
  }).pipe(Effect.provide(Logger.layer([])))
)

it.live("never fires early by the wall clock", () =>
  Effect.gen(function* () {
    const { clock, timers } = yield* make
    const early: Array<number> = []
    const start = clock.currentTimeMillisUnsafe()
    yield* Effect.callback<void>((resume) => {
      let left = 200
      for (let index = 0; index < 200; index++) {
        timers.set(start + index, () => {
          const late = clock.currentTimeMillisUnsafe() - start - index
          if (late < 0) early.push(late)
          if (--left === 0) resume(Effect.void)
        })
      }
    })
    assert.deepStrictEqual(early, [])
  })
)

it.effect("fires timers of one instant in the order in which they were set, despite cancellations", () =>
  Effect.gen(function* () {
    const { timers } = yield* make
    const random = randomly(7)
    const fired: Array<number> = []
    const expected: Array<number> = []
    for (let index = 0; index < 5_000; index++) {
      const timer = timers.set(1_000, () => fired.push(index))
      if (random(3) === 0) timers.cancel(timer)
      else expected.push(index)
      if (random(2) === 0) timers.set(random(5_000), () => {})
    }
    yield* TestClock.adjust(1_000)
    assert.deepStrictEqual(fired, expected)
  })
)

it.effect("fires nothing while it is paused, and then all that is due by the clock as it is", () =>
  Effect.gen(function* () {
    let set_ms = 0
    const base = yield* Clock.Clock
    const runFork = Effect.runForkWith(yield* Effect.context<never>())
    const timers = new Timers({ currentTimeMillisUnsafe: () => base.currentTimeMillisUnsafe() + set_ms }, runFork)
    const fired: Array<string> = []
    const start = base.currentTimeMillisUnsafe()
    timers.set(start + 1_000, () => fired.push("soon"))
    timers.set(start + 3_600_000, () => fired.push("later"))
    timers.pause()
    timers.set(start + 2_000, () => fired.push("meanwhile"))
    yield* TestClock.adjust("5 seconds")
    assert.deepStrictEqual(fired, [])
    assert.isFalse(timers.due)
    timers.resume()
    yield* TestClock.adjust("1 millis")
    assert.deepStrictEqual(fired, ["soon", "meanwhile"])
    set_ms = 3_600_000
    timers.resume()
    yield* TestClock.adjust("1 millis")
    assert.deepStrictEqual(fired, ["soon", "meanwhile", "later"])
  })
)
