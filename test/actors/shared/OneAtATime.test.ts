import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber, RcMap } from "effect"
import { inTurns, makeTurns } from "../../../src/actors/shared/OneAtATime.ts"
import { workspaceId } from "../../support/Ids.ts"

const w1 = workspaceId("w1")
const w2 = workspaceId("w2")

describe("oneAtATime", () => {
  it.effect("does one piece of work of a workspace at a time, and delays no other workspace", () =>
    Effect.gen(function* () {
      const creating = inTurns(yield* makeTurns)
      const done: Array<string> = []
      const first = yield* Effect.forkChild(creating(w1)(Effect.never), { startImmediately: true })
      const second = yield* Effect.forkChild(creating(w1)(Effect.sync(() => done.push("second of w1"))), {
        startImmediately: true
      })
      yield* creating(w2)(Effect.sync(() => done.push("w2")))
      assert.deepStrictEqual(done, ["w2"])
      yield* Fiber.interrupt(first)
      yield* Fiber.join(second)
      assert.deepStrictEqual(done, ["w2", "second of w1"])
    })
  )

  it.effect("forgets a workspace whose work succeeded, failed or was given up", () =>
    Effect.gen(function* () {
      const turns = yield* makeTurns
      const creating = inTurns(turns)
      const go = yield* Deferred.make<void>()
      const working = yield* Effect.forkChild(creating(w1)(Deferred.await(go)), { startImmediately: true })
      const waiting = yield* Effect.forkChild(creating(w1)(Effect.void), { startImmediately: true })
      assert.deepStrictEqual([...(yield* RcMap.keys(turns))], [w1])
      yield* Fiber.interrupt(waiting)
      yield* Deferred.succeed(go, undefined)
      yield* Fiber.join(working)
      yield* Effect.ignore(creating(w2)(Effect.fail("refused")))
      assert.deepStrictEqual([...(yield* RcMap.keys(turns))], [])
    })
  )
})
