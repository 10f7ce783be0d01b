import { describe, expect, it } from "@effect/vitest"
import { instantOrNull, isoInstant } from "../../../src/domain/kit/Instants.ts"

describe("the text of an instant", () => {
  it("is that of the instant, also when others were asked for in between", () => {
    // Two instants of the same last ten bits share a place in memory.
    const instants = [0, 1024, -1, -1024, 1_795_132_810_123, 1_795_132_810_123 + 1024, 0.5, -0.5, 8.64e15, -8.64e15]
    for (let round = 0; round < 3; round++)
      for (const at of [...instants, ...instants.toReversed()]) expect(isoInstant(at)).toBe(new Date(at).toISOString())
  })

  it("does not exist for what is no instant", () => {
    for (const at of [Number.NaN, Number.POSITIVE_INFINITY, 8.64e15 + 1024]) {
      expect(() => isoInstant(at)).toThrow(RangeError)
      expect(() => isoInstant(at)).toThrow(RangeError)
    }
  })

  it("is null where there is none", () => {
    expect([instantOrNull(null), instantOrNull(0)]).toEqual([null, "1970-01-01T00:00:00.000Z"])
  })
})
