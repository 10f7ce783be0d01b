import { assert, describe, it } from "@effect/vitest"
import { signUpRefusal } from "../../../src/domain/access/SignUpPolicy.ts"

const stranger = { is_operator: false, is_invited: false }
const invited = { is_operator: false, is_invited: true }
const operator = { is_operator: true, is_invited: false }

describe("signUpRefusal", () => {
  const rows = [
    ["open", stranger, undefined],
    ["invited", stranger, "not_invited"],
    ["invited", invited, undefined],
    ["invited", operator, undefined],
    ["closed", stranger, "closed"],
    ["closed", invited, "closed"],
    ["closed", operator, undefined]
  ] as const
  for (const [policy, newcomer, expected] of rows)
    it(`says ${expected ?? "yes"} to ${JSON.stringify(newcomer)} where sign-up is ${policy}`, () => {
      const refusal = signUpRefusal(policy, newcomer)
      assert.strictEqual(refusal && (refusal.reason ?? "closed"), expected)
    })
})
