import { assert, describe } from "@effect/vitest"
import { Effect, Result } from "effect"
import type { Extension } from "../../src/domain/credentials/Extension.ts"
import { CallReads } from "../../src/domain/ports/calls/CallReads.ts"
import { instant, talkative } from "../../src/layers/pbx/simulator/Phones.ts"
import { type EngineOptions, PbxSimulator, workspace } from "../../src/testing.ts"
import { credentialId, numberId } from "../support/Ids.ts"
import { look, pass, place, scenario } from "../support/Scenario.ts"
import { toSessionId } from "../../src/domain/BrandedIds.ts"

const uganda = "+256771000001"
const kenya = "+254711000001"

const options: EngineOptions = {
  rates: [
    { prefix: "256", per_min_minor: 300, class: "normal" },
    { prefix: "25678", per_min_minor: 900, class: "high_risk" }
  ],
  phones: () => instant
}

const extension: Extension = {
  credential_id: credentialId("1001"),
  extension: "1001",
  username: "1001-device",
  number_id: numberId(workspace.number_id),
  number: workspace.number,
  display_name: null
}

const reasonOf = (to: string) =>
  Effect.map(Effect.result(place(to)), (placed) =>
    Result.isSuccess(placed) ? "placed" : "reason" in placed.failure ? placed.failure.reason : placed.failure._tag
  )

const lookAtSession = (session_id: string) =>
  Effect.flatMap(CallReads, (reads) =>
    Effect.map(Effect.orDie(reads.find(workspace.id, toSessionId(session_id))), (call) => call!)
  )

const refusalsOf = (call_id: string) =>
  Effect.gen(function* () {
    const { id } = yield* look(call_id)
    const events = yield* Effect.flatMap(CallReads, (reads) => reads.events(workspace.id, id, 0, 200))
    const steps = events.map(({ payload }) => payload as { readonly step?: string; readonly detail?: string })
    return steps.flatMap(({ detail, step }) => (step === "dial_refused" ? [detail] : []))
  })

describe("the limit of calls to a new country", () => {
  scenario(
    "refuses further calls for an hour, and never calls at home",
    { ...options, calling_policy: { max_calls_to_new_country: 2 } },
    Effect.gen(function* () {
      const told = []
      for (const to of [uganda, uganda, uganda, kenya, kenya, kenya]) told.push(yield* reasonOf(to))
      assert.deepStrictEqual(told, ["placed", "placed", "max_calls_to_new_country", "placed", "placed", "placed"])
      yield* pass(3_601)
      assert.strictEqual(yield* reasonOf(uganda), "placed")
      yield* pass(60)
    })
  )

  // Legs that share a hold are refused together.
  for (const [first_answer_wins, placed] of [
    [true, 0],
    [false, 1]
  ] as const) {
    scenario(
      `counts each leg of a dial for ${first_answer_wins ? "the first answer" : "all answers"}`,
      {
        ...options,
        phones: () => talkative(1_000, 30_000),
        calling_policy: { max_calls_to_new_country: 1 },
        callback: () =>
          Effect.succeed([{ dial: { numbers: [uganda, "+256771000002"], sequential: false, first_answer_wins } }])
      },
      Effect.gen(function* () {
        const { id } = yield* place(kenya)
        yield* pass(45)
        assert.lengthOf((yield* look(id)).child_call_ids, placed)
        assert.include(yield* refusalsOf(id), "calls.rate_limited")
        yield* pass(60)
      })
    )
  }

  scenario(
    "applies to an inbound call that is forwarded",
    {
      ...options,
      calling_policy: { max_calls_to_new_country: 0 },
      routing: { forward_to: { type: "e164", value: uganda, sequential: null } }
    },
    Effect.gen(function* () {
      const { dialIn } = yield* PbxSimulator
      const session_id = yield* dialIn({ tenant_pbx_id: workspace.tenant_pbx_id, from: kenya, to: workspace.number })
      yield* pass(10)
      const call = yield* lookAtSession(session_id)
      assert.deepStrictEqual([call.child_call_ids, yield* refusalsOf(call.id)], [[], ["calls.rate_limited"]])
    })
  )

  scenario(
    "applies to a call from a device",
    {
      ...options,
      calling_policy: { max_calls_to_new_country: 0 },
      extensions: [extension],
      phones: () => talkative(1_000, 5_000)
    },
    Effect.gen(function* () {
      const { dialIn } = yield* PbxSimulator
      const { tenant_pbx_id } = workspace
      const session_id = yield* dialIn({ tenant_pbx_id, from: "1001-device", to: uganda, device: "ws" })
      yield* pass(60)
      const call = yield* lookAtSession(session_id)
      assert.strictEqual(call.cost_minor, 0)
      assert.strictEqual(call.status, "failed")
    })
  )
})

describe("the limit of calls on the first day", () => {
  scenario(
    "refuses further calls until the next hour, and ends after a day",
    { ...options, calling_policy: { max_calls_per_hour_on_first_day: 2 } },
    Effect.gen(function* () {
      const told = []
      for (const _ of [1, 2, 3]) told.push(yield* reasonOf(kenya))
      yield* pass(3_601)
      told.push(yield* reasonOf(kenya))
      yield* pass(24 * 3_600)
      for (const _ of [1, 2, 3]) told.push(yield* reasonOf(kenya))
      const refused = "max_calls_per_hour_on_first_day"
      assert.deepStrictEqual(told, ["placed", "placed", refused, "placed", "placed", "placed", "placed"])
      yield* pass(60)
    })
  )
})

describe("high-risk destinations", () => {
  scenario(
    "are refused by default",
    options,
    Effect.gen(function* () {
      assert.strictEqual(yield* reasonOf("+256780000001"), "high_risk_blocked")
      assert.strictEqual(yield* reasonOf("+8821234567890"), "rate_not_configured")
    })
  )

  scenario(
    "are limited in number, and free again once a call ends",
    { ...options, calling_policy: { allow_high_risk: true, max_concurrent_high_risk_calls: 1 } },
    Effect.gen(function* () {
      const risky = "+256780000001"
      assert.deepStrictEqual(
        [yield* reasonOf(risky), yield* reasonOf(risky), yield* reasonOf(uganda)],
        ["placed", "max_concurrent_high_risk_calls", "placed"]
      )
      yield* pass(120)
      assert.strictEqual(yield* reasonOf(risky), "placed")
      yield* pass(120)
    })
  )
})
