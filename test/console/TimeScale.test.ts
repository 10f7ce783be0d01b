import { assert, describe, it } from "@effect/vitest"
import { timeScale } from "../../console/src/pages/call/TimeScale.ts"

describe("the scale of a timeline", () => {
  it("is linear without folds", () => {
    const scale = timeScale([0, 1_000, 9_000], 10_000, false)
    assert.deepStrictEqual(scale.folds, [])
    for (const ms of [0, 2_500, 5_000, 10_000]) assert.approximately(scale.at(ms), ms / 10_000, 1e-9)
  })

  it("folds only gaps of more than three seconds, and keeps a little at their ends", () => {
    const scale = timeScale([0, 1_000, 4_000, 20_000], 20_000, true)
    assert.deepStrictEqual(
      scale.folds.map(({ from, to }) => [from, to]),
      [[4_620, 19_620]]
    )
  })

  it("keeps lengths comparable between folds", () => {
    const scale = timeScale([0, 500, 1_000, 60_000, 60_500], 61_000, true)
    assert.approximately(scale.at(500) - scale.at(0), scale.at(60_500) - scale.at(60_000), 1e-9)
  })

  it("leads back from a place to its time", () => {
    const scale = timeScale([0, 158, 1_040, 31_000, 36_200, 600_000], 600_000, true)
    for (const ms of [0, 158, 700, 1_040, 15_000, 36_200, 599_000, 600_000]) {
      assert.approximately(scale.back(scale.at(ms)), ms, 0.01)
    }
  })

  it("never goes back, and stays within its ends", () => {
    const scale = timeScale([0, 5, 4_000, 9_000], 9_000, true)
    let before = 0
    for (let ms = -100; ms <= 9_500; ms += 50) {
      const place = scale.at(ms)
      assert.isAtLeast(place, before)
      assert.isAtMost(place, 1)
      before = place
    }
  })

  it("has a place for a call that has just begun", () => {
    const scale = timeScale([0], 0, true)
    assert.strictEqual(scale.at(0), 0)
    assert.isTrue(Number.isFinite(scale.back(1)))
  })
})
