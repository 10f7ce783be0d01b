import { assert, describe, it } from "@effect/vitest"
import { afterOutcome, type Breaker, closed, halfOpen, phase } from "../../../src/domain/webhooks/Breaker.ts"

const run = (outcomes: string, breaker: Breaker = closed, step_ms = 1_000): Breaker =>
  [...outcomes].reduce(
    (breaker, outcome, index) => afterOutcome(breaker, outcome === "+", (index + 1) * step_ms),
    breaker
  )

describe("the breaker", () => {
  it("opens for 30 s after ten failures in a row", () => {
    assert.strictEqual(phase(run("-".repeat(9))), "closed")
    assert.strictEqual(phase(run("-".repeat(9) + "+" + "-".repeat(9), closed, 60_000)), "closed")
    const open = run("-".repeat(10))
    assert.strictEqual(phase(open), "open")
    assert.strictEqual(open.open_until, 10_000 + 30_000)
  })

  it("opens when half of twenty attempts within a minute fail, but not if they take longer", () => {
    const alternating = "+-".repeat(10)
    assert.strictEqual(phase(run(alternating.slice(0, 19))), "closed")
    assert.strictEqual(phase(run(alternating)), "open")
    assert.strictEqual(phase(run("++-".repeat(20))), "closed")
    assert.strictEqual(phase(run(alternating, closed, 10_000)), "closed")
  })

  it("counts only the last twenty attempts of the last minute", () => {
    assert.strictEqual(phase(run("+" + "+-".repeat(10))), "open")
    const twenty = (last_at: number) => {
      const nineteen = run("+-".repeat(9) + "+", closed, 1)
      return phase(afterOutcome(nineteen, false, last_at))
    }
    assert.deepStrictEqual([60_000, 60_001].map(twenty), ["open", "closed"])
  })

  it("allows one probe, and doubles its pause up to ten minutes while probes fail", () => {
    let breaker = run("-".repeat(10))
    const pauses = []
    for (let probe = 0; probe < 6; probe++) {
      breaker = afterOutcome(halfOpen(breaker), false, 100_000)
      assert.strictEqual(phase(breaker), "open")
      pauses.push((breaker.open_until! - 100_000) / 1_000)
    }
    assert.deepStrictEqual(pauses, [60, 120, 240, 480, 600, 600])
    assert.deepStrictEqual(afterOutcome(halfOpen(breaker), true, 0), closed)
  })

  it("is closed by a late success and ignores a late failure", () => {
    const open = run("-".repeat(10))
    assert.strictEqual(afterOutcome(open, false, 11_000), open)
    assert.strictEqual(afterOutcome(open, true, 11_000), closed)
  })
})
