import { assert, describe, it } from "@effect/vitest"
import { isPassing, isSafe, secondsOf, waitBefore } from "../../src/client/Retry.ts"

describe("a request that failed", () => {
  it("is tried again if the failure may pass", () => {
    for (const status of [408, 429, 500, 502, 503, 504]) assert.isTrue(isPassing({ status }), String(status))
    for (const status of [400, 401, 402, 403, 404, 409, 410, 413, 422])
      assert.isFalse(isPassing({ status }), String(status))
    assert.isTrue(isPassing({}))
    assert.isTrue(isPassing({ status: 409, code: "idempotency.in_progress" }))
  })

  it("is not sent again if that could do it twice", () => {
    assert.isTrue(isSafe("GET", false, {}))
    assert.isTrue(isSafe("PUT", false, { status: 502 }))
    assert.isTrue(isSafe("POST", true, {}))
    assert.isFalse(isSafe("POST", false, {}))
    assert.isFalse(isSafe("POST", false, { status: 503 }))
    assert.isTrue(isSafe("POST", false, { status: 429 }))
  })

  it("waits as long as the engine says, up to a minute", () => {
    const now = Date.parse("2026-10-01T12:00:00Z")
    assert.strictEqual(secondsOf("7", now), 7)
    assert.strictEqual(secondsOf("Thu, 01 Oct 2026 12:00:30 GMT", now), 30)
    assert.strictEqual(secondsOf("Thu, 01 Oct 2026 11:00:00 GMT", now), 0)
    for (const none of [null, undefined, "", "soon"]) assert.isNull(secondsOf(none, now))
    assert.strictEqual(waitBefore(1, 7, 0.9), 7_000)
    assert.strictEqual(waitBefore(3, 60, 0), 60_000)
    assert.isUndefined(waitBefore(1, 61, 0))
  })

  it("waits longer each time otherwise, and not all clients equally long", () => {
    assert.deepStrictEqual(
      [1, 2, 3].map((attempts) => waitBefore(attempts, null, 0.5)),
      [500, 1_000, 2_000]
    )
    assert.deepStrictEqual([waitBefore(1, null, 0), waitBefore(1, null, 1)], [375, 625])
  })
})
