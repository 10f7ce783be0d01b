import { describe, expect, it } from "@effect/vitest"
import { uuidsFrom } from "../../../src/layers/ids/SystemIds.ts"

/** Fills the pool with 0, 1, 2 …, and goes on in the next pool. */
const counted = () => {
  let next = 0
  return (pool: Uint8Array) => void pool.forEach((_, index) => void (pool[index] = next++))
}

const start = Date.UTC(2026, 10, 20)

describe("UUIDs", () => {
  it("are of version 7, begin with their time, and have the random bytes of their place in the pool", () => {
    let now = start
    const uuid = uuidsFrom(() => now, counted())
    expect(uuid()).toBe("01a1f640-bc00-7001-8203-040506070809")
    expect(uuid()).toBe("01a1f640-bc00-7011-9213-141516171819")
    now += 1
    expect(uuid()).toBe("01a1f640-bc01-7021-a223-242526272829")
    now = Date.UTC(1970, 0, 1)
    expect(uuid()).toBe("00000000-0000-7031-b233-343536373839")
  })

  it("differ in every pool, and are in the order of their times", () => {
    let now = start
    let seed = 1
    const uuid = uuidsFrom(
      () => now++,
      (pool) => void pool.forEach((_, index) => void (pool[index] = (seed = (seed * 48_271) % 2_147_483_647) >> 8))
    )
    const ids = Array.from({ length: 2_000 }, uuid)
    expect(new Set(ids.map((id) => id.slice(14))).size).toBe(ids.length)
    expect(ids.toSorted()).toEqual(ids)
    for (const id of ids) expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  })
})
