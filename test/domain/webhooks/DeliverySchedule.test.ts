import { assert, describe, it } from "@effect/vitest"
import { maxAttempts, nextAttemptAt } from "../../../src/domain/webhooks/DeliverySchedule.ts"

const minutes = 60_000
const hours = 60 * minutes
const pauses = [5_000, 5 * minutes, 30 * minutes, 2 * hours, 5 * hours, 10 * hours, 10 * hours]

const pauseOf = (delivery_id: string, attempts: number, retry_after_ms: number | null = null) => {
  const at = nextAttemptAt({ delivery_id, attempts, now: 1_000_000, retry_after_ms })
  return at === null ? null : at - 1_000_000
}

describe("the retry schedule", () => {
  it("has eight attempts over 27 h 35 min, each pause within 20 % of its nominal length", () => {
    assert.strictEqual(maxAttempts, 8)
    for (let id = 0; id < 200; id++) {
      pauses.forEach((pause, index) => {
        const actual = pauseOf(`delivery-${id}`, index + 1)!
        assert.isAtLeast(actual, pause * 0.8)
        assert.isAtMost(actual, pause * 1.2)
      })
      assert.isNull(pauseOf(`delivery-${id}`, 8))
    }
  })

  it("spreads deliveries of the same time evenly, and is deterministic", () => {
    const buckets = [0, 0, 0, 0]
    for (let id = 0; id < 4_000; id++) {
      const share = (pauseOf(`0199aaaa-0000-7000-8000-${String(id).padStart(12, "0")}`, 3)! / pauses[2]! - 0.8) / 0.4
      buckets[Math.min(3, Math.floor(share * 4))]!++
    }
    for (const count of buckets) assert.isAbove(count, 850)
    assert.strictEqual(pauseOf("a", 1), pauseOf("a", 1))
    assert.notStrictEqual(pauseOf("a", 6), pauseOf("a", 7))
  })

  it("delays an attempt by Retry-After, by at most an hour, and never makes it earlier", () => {
    assert.strictEqual(pauseOf("a", 1, 60_000), 60_000)
    assert.strictEqual(pauseOf("a", 1, 5 * hours), hours)
    assert.strictEqual(pauseOf("a", 4, 60_000), pauseOf("a", 4))
    assert.isNull(pauseOf("a", 8, 60_000))
  })
})
