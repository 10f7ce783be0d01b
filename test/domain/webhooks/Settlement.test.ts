import { assert, describe, it } from "@effect/vitest"
import type { DueDelivery, Outcome } from "../../../src/domain/webhooks/DeliveryRecord.ts"
import { nextAttemptAt } from "../../../src/domain/webhooks/DeliverySchedule.ts"
import { secretUnset, settle } from "../../../src/domain/webhooks/Settlement.ts"

const now = Date.UTC(2026, 9, 1)
const delivery = (attempts: number): DueDelivery => ({
  id: "d1",
  created_at: now,
  attempts,
  attempt_log: [],
  event_id: "e1",
  event_kind: "call.completed",
  sequence: 3,
  occurred_at: now,
  payload: "{}"
})
const outcome = (change: Partial<Outcome>): Outcome => ({
  at: now,
  duration_ms: 12,
  http_status: null,
  error: null,
  response_excerpt: null,
  retry_after_ms: null,
  ...change
})
const status = (http_status: number) => outcome({ http_status })

describe("a delivery after an attempt", () => {
  const table: ReadonlyArray<readonly [string, Outcome, number, string, string | null]> = [
    ["200", status(200), 0, "succeeded", null],
    ["299", status(299), 7, "succeeded", null],
    ["300", status(300), 0, "retrying", "redirect_refused"],
    ["399", status(399), 0, "retrying", "redirect_refused"],
    ["400", status(400), 0, "retrying", "http_error"],
    ["301", status(301), 0, "retrying", "redirect_refused"],
    ["404", status(404), 0, "retrying", "http_error"],
    ["500", status(500), 6, "retrying", "http_error"],
    ["500 at last", status(500), 7, "dead_letter", "http_error"],
    ["410", status(410), 0, "dead_letter", "http_error"],
    ["timeout", outcome({ error: "timeout" }), 0, "retrying", "timeout"],
    ["timeout at last", outcome({ error: "timeout" }), 7, "dead_letter", "timeout"],
    ["no secret", outcome({ error: secretUnset }), 3, "blocked", secretUnset]
  ]
  for (const [name, ended, attempts, expected, code] of table) {
    it(`${name} after ${attempts}: ${expected}`, () => {
      const { attempt_log, finished_at, last_error, next_attempt_at, ...rest } = settle(delivery(attempts), ended, now)
      const made = expected === "blocked" ? 0 : 1
      assert.deepStrictEqual(rest, { status: expected as never, attempts: attempts + made })
      assert.strictEqual(last_error?.code ?? null, code)
      assert.strictEqual(finished_at, expected === "succeeded" || expected === "dead_letter" ? now : null)
      assert.strictEqual(next_attempt_at !== null, expected === "retrying")
      assert.strictEqual(attempt_log.length, made)
    })
  }

  it("delays the next attempt by Retry-After for 429 and 503 only", () => {
    const after = (http_status: number) =>
      settle(delivery(0), outcome({ http_status, retry_after_ms: 900_000 }), now).next_attempt_at
    const scheduled = nextAttemptAt({ delivery_id: "d1", attempts: 1, now, retry_after_ms: null })
    assert.strictEqual(after(429), now + 900_000)
    assert.strictEqual(after(503), now + 900_000)
    assert.strictEqual(after(500), scheduled)
  })

  it("logs the last eight attempts", () => {
    let log: DueDelivery["attempt_log"] = []
    for (let attempts = 0; attempts < 10; attempts++) {
      const ended = outcome({ http_status: 500, response_excerpt: `try ${attempts}` })
      log = settle({ ...delivery(attempts), attempt_log: log }, ended, now).attempt_log
    }
    assert.deepStrictEqual(
      log.map((attempt) => attempt.response_excerpt),
      [2, 3, 4, 5, 6, 7, 8, 9].map((n) => `try ${n}`)
    )
    assert.deepStrictEqual(log[0], {
      at: "2026-10-01T00:00:00.000Z",
      duration_ms: 12,
      http_status: 500,
      error: "http_error",
      response_excerpt: "try 2"
    })
  })
})
