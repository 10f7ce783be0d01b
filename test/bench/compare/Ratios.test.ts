import { assert, describe, it } from "@effect/vitest"
import { compared, medianInterval, ratiosOf, verdictOf } from "../../../bench/compare/Ratios.ts"

const counted = (count: number) => Array.from({ length: count }, (_, index) => index + 1)

describe("the interval of a median", () => {
  // The ranks of the 95 % interval as tables of the sign test have them.
  const ranks: ReadonlyArray<readonly [count: number, low: number, high: number]> = [
    [6, 1, 6],
    [8, 1, 8],
    [9, 2, 8],
    [10, 2, 9],
    [12, 3, 10],
    [15, 4, 12],
    [20, 6, 15],
    [25, 8, 18],
    [30, 10, 21],
    [40, 14, 27]
  ]
  for (const [count, low, high] of ranks) {
    it(`of ${count} values goes from rank ${low} to rank ${high}`, () => {
      assert.deepStrictEqual(medianInterval(counted(count)), { low, high })
    })
  }

  it("is unknown below six values, of which all lie on one side too often", () => {
    for (const count of [0, 1, 5]) assert.isUndefined(medianInterval(counted(count)))
  })

  it("does not depend on the order of the values", () => {
    assert.deepStrictEqual(medianInterval([7, 1, 5, 3, 2, 6, 4, 9, 8]), { low: 2, high: 8 })
  })

  it("holds the median of random values in at least 95 of 100 cases", () => {
    let seed = 1
    const random = () => {
      seed = (seed * 48_271) % 2_147_483_647
      return seed / 2_147_483_647
    }
    const held = Array.from({ length: 4_000 }, () => {
      // Their median is exp(0): most lie close to it, some far above.
      const { high, low } = medianInterval(Array.from({ length: 12 }, () => Math.exp((random() - 0.5) * 3)))!
      return low <= 1 && high >= 1
    })
    assert.isAtLeast(held.filter(Boolean).length / held.length, 0.95)
  })
})

describe("the verdict", () => {
  const spread = (...ratios: ReadonlyArray<number>) => verdictOf(ratios, 1.1)
  const cases: ReadonlyArray<readonly [string, string, ReadonlyArray<number>]> = [
    ["too few pairs decide nothing", "undecided", [2, 2, 2, 2, 2]],
    ["equal checkouts", "within", [1, 0.99, 1.01, 1, 1.02, 0.98]],
    ["a cheaper one", "within", [0.8, 0.7, 0.9, 0.8, 0.8, 0.8]],
    ["a dearer one", "dearer", [1.2, 1.25, 1.3, 1.22, 1.24, 1.28]],
    ["a lower bound that is the limit is not above it", "undecided", [1.1, 1.25, 1.3, 1.22, 1.24, 1.28]],
    ["an upper bound that is the limit is within it", "within", [1.1, 1, 1, 1, 1, 1]],
    ["noise around the limit", "undecided", [0.9, 1.3, 1.2, 1, 1.25, 1.15]],
    ["noise around an equal cost", "within", [0.7, 1.3, 1.2, 1, 0.8, 1.04]],
    ["noise between them, closer to the limit", "undecided", [0.7, 1.3, 1.2, 1.06, 0.8, 1.06]],
    ["one disturbed pair of ten neither fails nor hides", "within", [1, 1, 1, 1, 1, 1, 1, 1, 1, 9]],
    [
      "one lucky pair of ten does not hide what became dearer",
      "dearer",
      [1.3, 1.3, 1.2, 1.3, 1.3, 1.3, 1.2, 1.3, 1.3, 0.4]
    ]
  ]
  for (const [title, verdict, ratios] of cases) it(title, () => assert.strictEqual(spread(...ratios), verdict))
})

describe("pairs", () => {
  it("of zeros are equal, and with one zero have no ratio", () => {
    assert.deepStrictEqual(
      ratiosOf([
        { before: 0, now: 0 },
        { before: 0, now: 1 },
        { before: 4, now: 6 }
      ]),
      [1, 1.5]
    )
  })

  it("are compared by the median of their ratios, so that a pair on a busy machine counts like any other", () => {
    const pairs = [
      { before: 100, now: 110 },
      { before: 200, now: 220 },
      { before: 1_000, now: 1_100 }
    ]
    const { before, interval, now, ratio } = compared(pairs)
    assert.deepStrictEqual([before, now, interval], [200, 220, undefined])
    assert.approximately(ratio, 1.1, 1e-9)
  })
})
