import { assert, describe, it } from "@effect/vitest"
import { block_size, commonPlaces, listed_most, placesUntil } from "../../../src/domain/paging/Places.ts"

const bits = (places: ReadonlyArray<number>): Uint8Array => {
  const bytes = new Uint8Array(block_size / 8)
  for (const place of places) bytes[place >> 3]! |= 0x80 >> (place & 7)
  return bytes
}
const list = (places: ReadonlyArray<number>): Uint8Array =>
  Uint8Array.from(places.flatMap((place) => [place >> 8, place & 0xff]))
const kept = (places: ReadonlyArray<number>) => (places.length > listed_most ? bits(places) : list(places))

const every = (step: number, from = 0) =>
  Array.from({ length: block_size }, (_, place) => place).filter((place) => place % step === from)

describe("places that values have in common", () => {
  it.each([
    ["of one value, the last first", [list([0, 7, 8, 2_047])], undefined, [2_047, 8, 7, 0]],
    ["of bits and of a list", [bits([0, 7, 8, 2_047]), list([7, 9, 2_047])], undefined, [2_047, 7]],
    ["of values that never come together", [kept(every(2)), kept(every(2, 1))], undefined, []],
    ["below a place, which is not one of them", [bits([0, 7, 8, 9])], 8, [7, 0]],
    ["below the first", [bits([0, 7])], 0, []],
    ["below more than there are", [bits([2_047])], 5_000, [2_047]],
    ["of no value", [], undefined, []],
    ["of a value that is nowhere", [list([]), bits([1])], undefined, []]
  ] as const)("are found: %s", (_, values, below, places) => {
    assert.deepStrictEqual(commonPlaces(values, below), places)
  })

  it("equal the intersection of the sets, in every representation", () => {
    for (const [a, b, c] of [
      [2, 3, 5],
      [1, 16, 1],
      [17, 16, 3],
      [1, 1, 1],
      [2_047, 31, 89]
    ] as const) {
      const sets = [every(a), every(b), every(c)]
      const expected = sets[0]!
        .filter((place) => place < 1_500 && sets.every((set) => set.includes(place)))
        .toReversed()
      assert.deepStrictEqual(commonPlaces(sets.map(kept), 1_500), expected)
    }
  })

  it("never read a list as a bitmap", () => {
    assert.notStrictEqual(list(every(1).slice(0, listed_most)).length, block_size / 8)
  })

  it.each([
    [[], 5, 0],
    [[5], 4, 0],
    [[5], 5, 1],
    [[1, 5, 5, 5, 9], 5, 4],
    [[1, 5, 5, 5, 9], 8.5, 4],
    [[1, 5, 5, 5, 9], 1_900_000_000_000, 5],
    [[-7, 0, 1_800_000_000_000], 1_799_999_999_999, 2]
  ] as const)("of the instants %j, those until %d are %d", (instants, at, expected) => {
    const bytes = new Uint8Array(instants.length * 8 + 3).subarray(3)
    const view = new DataView(bytes.buffer, bytes.byteOffset)
    for (const [n, instant] of instants.entries()) view.setBigInt64(n * 8, BigInt(instant))
    assert.strictEqual(placesUntil(bytes, at), expected)
  })
})
