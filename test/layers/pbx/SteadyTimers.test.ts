import { assert, it } from "@effect/vitest"
import { Clock, Effect } from "effect"
import { TestClock } from "effect/testing"
import { SteadyTimers } from "../../../src/layers/pbx/SteadyTimers.ts"

it.effect.each([86_400_000, -86_400_000])("waits as long as intended when the wall clock is set by %s ms", (by_ms) =>
  Effect.gen(function* () {
    const base = yield* Clock.Clock
    let set_ms = 0
    const clock: Clock.Clock = {
      ...base,
      currentTimeMillisUnsafe: () => base.currentTimeMillisUnsafe() + set_ms,
      monotonicTimeNanosUnsafe: () => base.monotonicTimeNanosUnsafe()
    }
    const timers = new SteadyTimers(clock, Effect.runForkWith(yield* Effect.context<never>()))
    const fired: Array<string> = []
    const now = () => clock.currentTimeMillisUnsafe()
    timers.set(now() + 10_000, () => fired.push("first"))
    yield* TestClock.adjust("4 seconds")
    set_ms = by_ms
    timers.set(now() + 5_000, () => fired.push("second"))
    yield* TestClock.adjust("4999 millis")
    assert.deepStrictEqual(fired, [])
    yield* TestClock.adjust("1 millis")
    assert.deepStrictEqual(fired, ["second"])
    yield* TestClock.adjust("1 second")
    assert.deepStrictEqual(fired, ["second", "first"])
  })
)
