// The charges that are given back because the first voice callback failed, and where that ends.
import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { instant } from "../../src/layers/pbx/simulator/Phones.ts"
import { CallbackFailure, type EngineOptions, TestEngine, workspace } from "../../src/testing.ts"
import { look, pass, place, scenario } from "../support/Scenario.ts"

const failing: EngineOptions = {
  callback: () => Effect.fail(new CallbackFailure({ cause: "callback_failed", detail: "HTTP 500" })),
  phones: () => instant,
  waive_callback_failures: true,
  waived_calls_per_day: 2,
  rates: [
    { prefix: "256", per_min_minor: 300, class: "normal" },
    { prefix: "25678", per_min_minor: 900, class: "high_risk" },
    { prefix: "25679", per_min_minor: 9_000, class: "premium" }
  ],
  calling_policy: { allow_high_risk: true }
}

const failed = (to: string) =>
  Effect.gen(function* () {
    const { id } = yield* place(to)
    yield* pass(20)
    assert.strictEqual((yield* look(id)).hangup_cause, "callback_failed")
    return id
  })

/** The calls whose charges were given back. */
const waived = Effect.map(TestEngine, ({ journal }) =>
  journal.tables.ledger.flatMap(({ kind, reference_id }) => (kind === "fee_waiver" ? [reference_id] : []))
)
const alerts = Effect.map(TestEngine, ({ journal }) =>
  journal.tables.events.flatMap(({ kind, payload }) => (kind.startsWith("security.callback") ? [payload] : []))
)

describe("calls whose first voice callback fails", () => {
  scenario(
    "are given back at most as many a day as the operator says, and the last of them is an alert",
    failing,
    Effect.gen(function* () {
      const calls = []
      for (const last of [1, 2, 3, 4]) {
        assert.lengthOf(yield* alerts, last > 2 ? 1 : 0)
        calls.push(yield* failed(`+25677100000${last}`))
      }
      assert.deepStrictEqual(yield* waived, calls.slice(0, 2))
      const [alert, ...others] = yield* alerts
      assert.deepInclude(JSON.parse(alert ?? "{}"), {
        kind: "security.callback_waivers_used_up",
        workspace_id: workspace.id,
        calls: 2
      })
      assert.deepStrictEqual(others, [])
      // The next day (UTC).
      yield* TestClock.adjust("1 day")
      const next = yield* failed("+256771000009")
      assert.deepStrictEqual(yield* waived, [...calls.slice(0, 2), next])
    })
  )

  for (const [what, to] of [
    ["high-risk", "+256781000001"],
    ["premium", "+256791000001"]
  ] as const)
    scenario(
      `are charged if they went to a ${what} destination`,
      failing,
      Effect.gen(function* () {
        yield* failed(to)
        assert.deepStrictEqual(yield* waived, [])
      })
    )
})
