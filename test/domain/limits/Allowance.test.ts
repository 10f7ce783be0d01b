import { assert, describe, it } from "@effect/vitest"
import { Allowance, scaled } from "../../../src/domain/limits/Allowance.ts"

const quota = { burst: 10, per_second: 2 }

describe("an allowance", () => {
  it("lasts for its burst, whatever the clock says, and is renewed by time", () => {
    for (const now of [-1_000, 0, 1_700_000_000_000]) {
      const allowance = new Allowance(quota)
      for (let nth = 0; nth < 9; nth++) allowance.spend(1, now)
      assert.isFalse(allowance.isSpent(now))
      allowance.spend(1, now)
      assert.isTrue(allowance.isSpent(now))
      assert.isFalse(allowance.isSpent(now + 1))
      assert.isFalse(allowance.isFull(now + 4_999))
      assert.isTrue(allowance.isFull(now + 5_000))
    }
  })

  it("may be overdrawn, and is spent until the debt is paid", () => {
    const allowance = new Allowance(quota)
    allowance.spend(30, 0)
    assert.isTrue(allowance.isSpent(10_000))
    assert.isFalse(allowance.isSpent(10_001))
  })

  it("saves nothing beyond its burst", () => {
    const allowance = new Allowance(quota)
    allowance.spend(1, 0)
    allowance.spend(10, 1_000_000)
    assert.isTrue(allowance.isSpent(1_000_000))
  })

  it("can be multiplied", () => {
    assert.deepStrictEqual(scaled(quota, 3), { burst: 30, per_second: 6 })
  })
})
