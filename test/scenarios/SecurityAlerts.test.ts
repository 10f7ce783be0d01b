import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import { instant } from "../../src/layers/pbx/simulator/Phones.ts"
import { type EngineOptions, TestEngine, workspace } from "../../src/testing.ts"
import { assertPayload } from "../support/EventPayloads.ts"
import { pass, place, scenario } from "../support/Scenario.ts"

const uganda = "+256771000001"
const kenya = "+254711000001"
const options: EngineOptions = {
  rates: [
    { prefix: "256", per_min_minor: 300, class: "normal" },
    { prefix: "25678", per_min_minor: 900, class: "high_risk" }
  ],
  phones: () => instant
}

/** The alerts that webhooks deliver, each of which matches its schema. */
const alerts = Effect.gen(function* () {
  const { journal } = yield* TestEngine
  const published = journal.tables.events.filter(({ fan_out, kind }) => fan_out && kind.startsWith("security."))
  for (const { kind, payload } of published) assertPayload(kind, JSON.parse(payload))
  return published.map(({ payload }) => JSON.parse(payload) as { readonly [member: string]: unknown })
})
const kindsOf = Effect.map(alerts, (all) => all.map(({ kind }) => kind))
const tries = (to: string, times = 1) =>
  Effect.forEach(Array.from({ length: times }), () => Effect.ignore(place(to)), { discard: true })

describe("a workspace", () => {
  scenario(
    "is warned of its first call abroad, of each new country, and of a reached limit",
    { ...options, calling_policy: { max_calls_to_new_country: 2 } },
    Effect.gen(function* () {
      yield* tries(kenya)
      assert.deepStrictEqual(yield* kindsOf, [])
      yield* tries(uganda, 5)
      assert.deepStrictEqual(yield* kindsOf, [
        "security.first_international_call",
        "security.new_country_called",
        "security.call_burst"
      ])
      const [first, , burst] = yield* alerts
      assert.deepInclude(first, { country: "UG", workspace_id: workspace.id })
      assert.deepInclude(burst, { reason: "max_calls_to_new_country", calls: 3 })
      yield* pass(60)
    })
  )

  scenario(
    "is warned once of many refused calls, and the audit log says so",
    options,
    Effect.gen(function* () {
      yield* tries("+256781000001", 40)
      assert.deepStrictEqual(yield* kindsOf, ["security.calls_failing"])
      const { journal } = yield* TestEngine
      const lines = journal.tables.audit.filter(({ action_kind }) => action_kind === "security.alerted")
      assert.lengthOf(lines, 1)
      assert.deepInclude(JSON.parse(lines[0]!.after!), { alert: "security.calls_failing", failures: 20, attempts: 20 })
    })
  )

  scenario(
    "is warned of many failed calls",
    {},
    Effect.gen(function* () {
      for (let call = 0; call < 25; call++) {
        yield* tries("+99900000004")
        yield* pass(10)
      }
      assert.deepStrictEqual(yield* kindsOf, ["security.calls_failing"])
    })
  )

  scenario(
    "is warned once of a reached daily spend limit",
    { ...options, calling_policy: { daily_spend_limit_minor: 500 } },
    Effect.gen(function* () {
      yield* tries(kenya, 4)
      assert.deepStrictEqual(yield* kindsOf, ["security.spend_limit_reached"])
      const [alert] = yield* alerts
      assert.deepInclude(alert, { daily_spend_limit_minor: 500, spent_minor: 0, currency: "KES" })
      yield* pass(60)
    })
  )
})
