import { assert, describe, it } from "@effect/vitest"
import { Cause, Effect, Exit } from "effect"
import { until, untilHolds } from "./Until.ts"

const failureOf = <A>(wait: Effect.Effect<A>) =>
  Effect.map(Effect.exit(wait), (exit) => (Exit.isFailure(exit) ? (Cause.squash(exit.cause) as Error).message : "none"))

describe("a wait of a test", () => {
  it.live("returns what it waited for", () =>
    Effect.gen(function* () {
      let looks = 0
      const look = Effect.sync(() => ++looks)
      assert.strictEqual(yield* until("third look", look, (count) => count === 3, { every_ms: 1 }), 3)
      assert.strictEqual(looks, 3)
    })
  )

  it.live("fails at its bound, and says what it awaited and what it saw last", () =>
    Effect.gen(function* () {
      const look = Effect.succeed({ status: "ringing", legs: [{ id: "CA_1" }] })
      const wait = until("answered call", look, ({ status }) => status === "answered", { within_ms: 50 })
      assert.strictEqual(
        yield* failureOf(wait),
        "No answered call within 0.05 s. Seen last: { status: 'ringing', legs: [ { id: 'CA_1' } ] }"
      )
      assert.strictEqual(
        yield* failureOf(untilHolds("open connection", () => false, { within_ms: 50 })),
        "No open connection within 0.05 s. Seen last: false"
      )
    })
  )

  it.live("fails at its bound where a single look never ends", () =>
    Effect.gen(function* () {
      let looks = 0
      const look = Effect.suspend(() => (looks++ === 0 ? Effect.succeed("first look") : Effect.never))
      assert.strictEqual(
        yield* failureOf(until("second look", look, (seen) => seen !== "first look", { within_ms: 50 })),
        "No second look within 0.05 s. Seen last: 'first look'"
      )
    })
  )

  it.live("ends as soon in a finalizer, which cannot be interrupted", () =>
    Effect.gen(function* () {
      const began = performance.now()
      let failure = ""
      const hangs = until("look", Effect.never, () => true, { within_ms: 50 })
      yield* Effect.scoped(
        Effect.gen(function* () {
          yield* Effect.addFinalizer(() => Effect.map(failureOf(hangs), (message) => (failure = message)))
          yield* Effect.addFinalizer(() => untilHolds("open gate", () => true))
        })
      )
      assert.strictEqual(failure, "No look within 0.05 s. Seen last: 'nothing'")
      assert.isBelow(performance.now() - began, 30_000, "the bound of the wait that succeeds")
    })
  )

  it.effect("goes on in real time where the clock of the test stands still", () =>
    Effect.gen(function* () {
      let isOpen = false
      setTimeout(() => (isOpen = true), 10)
      yield* untilHolds("open gate", () => isOpen, { every_ms: 0 })
      assert.include(yield* failureOf(untilHolds("shut gate", () => false, { within_ms: 20 })), "No shut gate")
    })
  )
})
