import { assert, describe, it } from "@effect/vitest"
import { WaitingBytes } from "../../../src/layers/http-server/WaitingBytes.ts"

const limits = { connection: 100, address: 150, total: 300, stalled_ms: 10_000 }

const readers = (addresses: Readonly<Record<string, string | undefined>>) => {
  const waiting = new WaitingBytes<string>(limits)
  for (const [id, address] of Object.entries(addresses)) waiting.add(id, address, 0)
  return waiting
}

describe("WaitingBytes", () => {
  it("cuts off a reader that takes nothing for ten seconds, even if more is written for it", () => {
    const waiting = readers({ a: "x" })
    assert.isUndefined(waiting.measured("a", 50, "0", 1_000))
    assert.isUndefined(waiting.measured("a", 60, "0", 10_999))
    assert.deepStrictEqual(waiting.measured("a", 70, "0", 11_000), { id: "a", reason: "stalled" })
  })

  it("keeps a reader that takes a little, and one for which nothing waits", () => {
    const waiting = readers({ a: "x", b: "x" })
    for (let second = 1; second <= 60; second++) {
      assert.isUndefined(waiting.measured("a", 100 - second, String(Math.floor(second / 9)), second * 1_000))
      assert.isUndefined(waiting.measured("b", 0, "0", second * 1_000))
    }
    assert.isUndefined(waiting.measured("b", 10, "0", 61_000), "its ten seconds begin when bytes wait")
  })

  it("cuts off a connection with more than its share", () => {
    assert.deepStrictEqual(readers({ a: "x" }).measured("a", 101, "0", 0), { id: "a", reason: "connection" })
  })

  it("cuts off the reader of an address that has taken nothing for the longest time", () => {
    const waiting = readers({ a: "x", b: "x", c: "y" })
    assert.isUndefined(waiting.measured("c", 90, "0", 1))
    assert.isUndefined(waiting.measured("a", 90, "0", 2))
    assert.deepStrictEqual(waiting.measured("b", 90, "0", 3), { id: "a", reason: "address" })
    waiting.remove("a")
    assert.isUndefined(waiting.measured("b", 91, "0", 4))
    assert.strictEqual(waiting.total, 181)
  })

  it("bounds all together, also those without a share of an address", () => {
    const waiting = readers({ p: undefined, q: undefined, r: undefined, s: undefined })
    for (const id of ["p", "q", "r"]) assert.isUndefined(waiting.measured(id, 100, "0", 1))
    assert.deepStrictEqual(waiting.measured("s", 1, "0", 2), { id: "p", reason: "total" })
  })

  it("forgets what a closed connection had", () => {
    const waiting = readers({ a: "x" })
    waiting.measured("a", 50, "0", 0)
    waiting.remove("a")
    assert.strictEqual(waiting.total, 0)
    assert.isUndefined(waiting.measured("a", 500, "0", 1))
  })
})
