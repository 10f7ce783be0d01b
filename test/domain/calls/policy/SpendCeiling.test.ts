import { assert, describe, it } from "@effect/vitest"
import { policyOf } from "../../../../src/domain/calls/policy/CallingPolicy.ts"
import {
  dailySpendLimit,
  defaultDailySpend_minor,
  exceedsCeiling,
  policyOfNewWorkspace
} from "../../../../src/domain/calls/policy/SpendCeiling.ts"
import { Currency } from "../../../../src/domain/wallet/Currency.ts"

describe("the daily spend limit", () => {
  it.each([
    ["is that of the policy without a ceiling", 500, undefined, 500],
    ["is none if neither is set", null, undefined, null],
    ["is that of the policy below the ceiling", 500, 900, 500],
    ["is the ceiling if the policy has more", 1_000, 900, 900],
    ["is the ceiling if the policy has no limit", null, 900, 900],
    ["is 0 if the policy says so", 0, 900, 0]
  ])("%s", (_, daily_spend_limit_minor, ceiling, expected) => {
    assert.strictEqual(dailySpendLimit({ daily_spend_limit_minor }, ceiling), expected)
  })

  it.each([
    ["allows the ceiling itself", { daily_spend_limit_minor: 900 }, 900, false],
    ["refuses more", { daily_spend_limit_minor: 901 }, 900, true],
    ["refuses to have no limit", { daily_spend_limit_minor: null }, 900, true],
    ["leaves a change of other members alone", { calls_per_second: 5 }, 900, false],
    ["allows anything without a ceiling", { daily_spend_limit_minor: null }, undefined, false]
  ])("a change %s", (_, change, ceiling, expected) => {
    assert.strictEqual(exceedsCeiling(change, ceiling), expected)
  })
})

describe("the policy of a new workspace", () => {
  it("limits money, new destinations and the first day, in every currency", () => {
    for (const currency of Currency.literals) {
      const stored = policyOfNewWorkspace(currency, { daily_spend_minor: defaultDailySpend_minor, ceilings: new Map() })
      const policy = policyOf(stored)
      const limits = [
        policy.daily_spend_limit_minor,
        policy.max_calls_to_new_country,
        policy.max_calls_per_hour_on_first_day,
        policy.max_concurrent_high_risk_calls
      ]
      for (const limit of limits) assert.isAbove(limit ?? Infinity, 0)
      assert.notInclude(limits, null)
      assert.isFalse(policy.allow_high_risk)
    }
  })

  it("does not begin above the ceiling of the operator", () => {
    const spend = { daily_spend_minor: defaultDailySpend_minor, ceilings: new Map([["KES" as const, 5]]) }
    assert.strictEqual(policyOfNewWorkspace("KES", spend).daily_spend_limit_minor, 5)
  })
})
