import { assert, it } from "@effect/vitest"
import { Clock, Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { retryWithBackoff } from "../../../src/actors/shared/Retry.ts"

const fails = (times: number) => {
  const attempts: Array<number> = []
  const attempt = Effect.gen(function* () {
    attempts.push(yield* Clock.currentTimeMillis)
    return attempts.length > times ? "done" : yield* Effect.fail("not yet")
  })
  return { attempts, attempt }
}

it.effect("waits twice as long after each failure, at most five seconds", () =>
  Effect.gen(function* () {
    const { attempt, attempts } = fails(8)
    const work = yield* Effect.forkChild(retryWithBackoff(attempt))
    yield* TestClock.adjust("1 minute")
    assert.strictEqual(yield* Fiber.join(work), "done")
    const pauses = attempts.slice(1).map((at, index) => at - attempts[index]!)
    assert.deepStrictEqual(pauses, [100, 200, 400, 800, 1600, 3200, 5000, 5000])
  })
)

it.effect("does not give up in an outage of three hours", () =>
  Effect.gen(function* () {
    const { attempt, attempts } = fails(2000)
    const work = yield* Effect.forkChild(retryWithBackoff(attempt))
    yield* TestClock.adjust("3 hours")
    assert.strictEqual(yield* Fiber.join(work), "done")
    assert.strictEqual(attempts.at(-1)! - attempts.at(-2)!, 5000)
  })
)
