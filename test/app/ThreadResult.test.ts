// What is made once, in a thread, for all who ask.
import { assert, it } from "@effect/vitest"
import { Effect, Exit, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { madeInThread, madeOnce } from "../../src/app/ThreadResult.ts"

it.effect("is made once for all, although the first one who asked leaves", () =>
  Effect.gen(function* () {
    let times = 0
    const work = Effect.map(Effect.sleep("1 second"), () => ++times)
    const made = yield* madeOnce(work)
    const first = yield* Effect.forkChild(made, { startImmediately: true })
    const second = yield* Effect.forkChild(made, { startImmediately: true })
    yield* Fiber.interrupt(first)
    yield* TestClock.adjust("1 second")
    assert.deepStrictEqual([yield* Fiber.join(second), yield* made], [1, 1])
  })
)

it.effect("is tried again by the next one who asks after a failure", () =>
  Effect.gen(function* () {
    let times = 0
    const made = yield* madeOnce(Effect.suspend(() => (++times === 1 ? Effect.fail("no") : Effect.succeed(times))))
    assert.deepStrictEqual(yield* Effect.exit(made), Exit.fail("no"))
    assert.deepStrictEqual([yield* made, yield* made], [2, 2])
  })
)

it.live("is refused with 503 if its thread ends without it", () =>
  Effect.gen(function* () {
    const nothing = new URL("data:text/javascript,0")
    const failure = yield* Effect.flip(madeInThread(nothing, "The page"))
    assert.strictEqual(failure._tag, "service_unavailable")
    assert.strictEqual(failure.message, "The page could not be made.")
  })
)
