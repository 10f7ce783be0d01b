import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { makeDeadline } from "../../../src/http/request/RequestDeadline.ts"

describe("the deadline of requests", () => {
  it.effect("answers with what the request answers in time", () =>
    Effect.gen(function* () {
      const withDeadline = yield* makeDeadline(15_000)
      assert.strictEqual(yield* withDeadline(Effect.succeed(1), "GET"), 1)
      assert.strictEqual(yield* Effect.flip(withDeadline(Effect.fail("no"), "GET")), "no")
      const late = yield* Effect.forkChild(withDeadline(Effect.delay(Effect.succeed(2), "14 seconds"), "GET"))
      yield* TestClock.adjust("14 seconds")
      assert.strictEqual(yield* Fiber.join(late), 2)
    })
  )

  it.effect("answers 503 after 15 s, although what it does cannot be interrupted, and says what is unknown", () =>
    Effect.gen(function* () {
      const withDeadline = yield* makeDeadline(15_000)
      let done = 0
      const work = Effect.uninterruptible(
        Effect.andThen(
          Effect.sleep("20 seconds"),
          Effect.sync(() => done++)
        )
      )
      const read = yield* Effect.forkChild(Effect.flip(withDeadline(work, "GET")))
      const write = yield* Effect.forkChild(Effect.flip(withDeadline(work, "POST")))
      yield* TestClock.adjust("15 seconds")
      const [refused, unknown] = [yield* Fiber.join(read), yield* Fiber.join(write)]
      assert.deepInclude(refused, { _tag: "service_unavailable", retry_after_seconds: 1 })
      assert.include(unknown.message, "not known whether")
      yield* TestClock.adjust("5 seconds")
      assert.strictEqual(done, 2)
    })
  )

  it.effect("interrupts what takes too long, and what nobody waits for", () =>
    Effect.gen(function* () {
      const withDeadline = yield* makeDeadline(15_000)
      let interrupted = 0
      const work = Effect.onInterrupt(Effect.never, () => Effect.sync(() => interrupted++))
      const slow = yield* Effect.forkChild(Effect.flip(withDeadline(work, "GET")))
      yield* TestClock.adjust("15 seconds")
      yield* Fiber.join(slow)
      yield* Effect.yieldNow
      assert.strictEqual(interrupted, 1)
      const left = yield* Effect.forkChild(withDeadline(work, "GET"), { startImmediately: true })
      yield* Fiber.interrupt(left)
      yield* Effect.yieldNow
      assert.strictEqual(interrupted, 2)
    })
  )

  it.effect("is each request's own, whatever became of the ones before", () =>
    Effect.gen(function* () {
      const withDeadline = yield* makeDeadline(15_000)
      const never = Effect.forkChild(Effect.flip(withDeadline(Effect.never, "GET")))
      const soon = yield* Effect.forkChild(withDeadline(Effect.delay(Effect.succeed(1), "1 second"), "GET"))
      yield* TestClock.adjust("10 seconds")
      assert.strictEqual(yield* Fiber.join(soon), 1)
      const second = yield* never
      yield* TestClock.adjust("5 seconds")
      const third = yield* never
      yield* TestClock.adjust("9999 millis")
      assert.isUndefined(second.pollUnsafe())
      yield* TestClock.adjust("1 millis")
      assert.strictEqual((yield* Fiber.join(second))._tag, "service_unavailable")
      assert.isUndefined(third.pollUnsafe())
      yield* TestClock.adjust("5 seconds")
      assert.strictEqual((yield* Fiber.join(third))._tag, "service_unavailable")
    })
  )
})
