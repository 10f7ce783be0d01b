// A sandbox whose admin has lifted every limit of its calling policy.
import { assert, describe, it } from "@effect/vitest"
import { Effect, Result } from "effect"
import { Calls } from "../../src/actors/calls/Calls.ts"
import { budgets } from "../../src/domain/limits/Budgets.ts"
import { engine, sandbox_id, TestEngine, workspace } from "../../src/testing.ts"

const lifted = {
  max_concurrent_calls: 1_000_000,
  calls_per_second: 1_000_000,
  max_calls_per_destination_per_hour: null
}
const options = {
  test_mode: true,
  calling_policy: lifted,
  callback: () => Effect.succeed([{ pause: { seconds: 60 } }])
}

const place = Effect.flatMap(Calls, ({ originate }) =>
  Effect.result(
    originate(sandbox_id, {
      to: "+99900000022",
      from: workspace.number,
      voice_callback_url: "https://app.test/voice",
      timeout_seconds: 30,
      max_duration_seconds: 600
    })
  )
)

/** What was refused, in the order of the calls. */
const refusals = (calls: number, between_seconds: number) =>
  Effect.gen(function* () {
    const test = yield* TestEngine
    const all: Array<string> = []
    for (let nth = 0; nth < calls; nth++) {
      const placed = yield* place
      if (Result.isFailure(placed)) all.push(placed.failure._tag)
      yield* test.pass(between_seconds)
    }
    return all
  })

const money = Effect.flatMap(TestEngine, ({ credit }) => credit(10_000_000))

describe("a sandbox", () => {
  it.effect("has no more calls at once than sandboxes may have, whatever its policy says", () =>
    Effect.gen(function* () {
      yield* money
      const most = budgets.sandbox_concurrent_calls.limit
      assert.deepStrictEqual(yield* refusals(most, 1), [])
      assert.deepStrictEqual(
        yield* refusals(3, 1),
        Array.from({ length: 3 }, () => "calls.concurrency_limit_reached")
      )
    }).pipe(Effect.provide(engine(options)))
  )

  it.effect("places no more calls a second than sandboxes may", () =>
    Effect.gen(function* () {
      yield* money
      const second = budgets.sandbox_calls_per_second.limit
      const refused = yield* refusals(2 * second + 3, 0)
      assert.deepStrictEqual(
        refused,
        Array.from({ length: 3 }, () => "calls.rate_limited")
      )
    }).pipe(Effect.provide(engine(options)))
  )
})
