import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Exit, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { makeFairShares } from "../../../src/domain/access/FairShares.ts"

const limits = { total: 2, each: 1, waiting: 1, wait_ms: 2_000 }

describe("makeFairShares", () => {
  it.effect("refuses beyond the queue at once, and who has waited too long", () =>
    Effect.gen(function* () {
      const shares = makeFairShares(limits)
      const gate = yield* Deferred.make<void>()
      const first = yield* Effect.forkChild(shares.run("a", Deferred.await(gate)), { startImmediately: true })
      const second = yield* Effect.forkChild(Effect.flip(shares.run("a", Effect.void)), { startImmediately: true })
      assert.deepStrictEqual(yield* Effect.flip(shares.run("a", Effect.void)), { who: "a", reason: "queue_full" })
      assert.strictEqual(yield* shares.run("b", Effect.succeed(1)), 1)
      yield* TestClock.adjust("2 seconds")
      assert.deepStrictEqual(yield* Fiber.join(second), { who: "a", reason: "waited_too_long" })
      yield* Deferred.succeed(gate, undefined)
      yield* Fiber.join(first)
      assert.deepStrictEqual([shares.inUse(), shares.inQueue()], [0, 0])
    })
  )

  it.effect("frees the place of what fails, dies or is interrupted, in use or waiting", () =>
    Effect.gen(function* () {
      const shares = makeFairShares(limits)
      yield* Effect.flip(shares.run("a", Effect.fail("no")))
      assert.isTrue(Exit.isFailure(yield* Effect.exit(shares.run("a", Effect.die("no")))))
      const using = yield* Effect.forkChild(shares.run("a", Effect.never), { startImmediately: true })
      const waiting = yield* Effect.forkChild(shares.run("a", Effect.never), { startImmediately: true })
      assert.deepStrictEqual([shares.inUse(), shares.inQueue()], [1, 1])
      yield* Fiber.interrupt(waiting)
      assert.deepStrictEqual([shares.inUse(), shares.inQueue()], [1, 0])
      const next = yield* Effect.forkChild(shares.run("a", Effect.succeed("next")), { startImmediately: true })
      yield* Fiber.interrupt(using)
      assert.strictEqual(yield* Fiber.join(next), "next")
      yield* Effect.scoped(shares.place("a"))
      assert.deepStrictEqual([shares.inUse(), shares.inQueue()], [0, 0])
    })
  )

  it.effect("says how long somebody waited who had nothing, once", () =>
    Effect.gen(function* () {
      const shares = makeFairShares({ ...limits, total: 2, each: 1 })
      const held = yield* Deferred.make<void>()
      const use = (who: string) => Effect.forkChild(shares.run(who, Deferred.await(held)), { startImmediately: true })
      const [a, b] = [yield* use("a"), yield* use("b")]
      // "a" waits for its own share, and "c" because all is in use.
      yield* use("a")
      yield* use("c")
      yield* TestClock.adjust(limits.wait_ms / 2)
      yield* Fiber.interrupt(a)
      assert.strictEqual(shares.takeLongestWait(), 0)
      yield* Fiber.interrupt(b)
      assert.strictEqual(shares.takeLongestWait(), limits.wait_ms / 2)
      assert.strictEqual(shares.takeLongestWait(), 0)
    })
  )
})
