import { assert, describe, it } from "@effect/vitest"
import { makeLineBudget } from "../../../src/layers/telemetry/LineBudget.ts"

describe("the lines that one may write to the log", () => {
  it("are so many in a window, and the next line says how many were left out", () => {
    const { take } = makeLineBudget({ window_ms: 60_000, each: 2, all: 10 })
    assert.deepStrictEqual(
      [0, 1, 2, 3].map((now) => take("a", now).allowed),
      [true, true, false, false]
    )
    assert.deepStrictEqual(take("a", 60_000), { allowed: true, left_out: 2 })
    assert.deepStrictEqual(take("a", 60_001), { allowed: true, left_out: 0 })
  })

  it("leave room for others, up to a limit of all", () => {
    const { take } = makeLineBudget({ window_ms: 60_000, each: 2, all: 3 })
    for (let time = 0; time < 50; time++) take("loud", time)
    assert.isTrue(take("quiet", 50).allowed)
    assert.isFalse(take("third", 51).allowed)
  })
})
