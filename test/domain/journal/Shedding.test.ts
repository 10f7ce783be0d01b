import { assert, describe, it } from "@effect/vitest"
import { isShed, shedAt } from "../../../src/domain/journal/Shedding.ts"

describe("shedAt", () => {
  for (const [entries, characters, expected] of [
    [0, 0, "nothing"],
    [4_095, 16 * 1024 * 1024 - 1, "nothing"],
    [4_096, 0, "reads"],
    [1, 16 * 1024 * 1024, "reads"],
    [16_383, 0, "reads"],
    [16_384, 0, "calls"],
    [3, 64 * 1024 * 1024, "calls"]
  ] as const)
    it(`${entries} entries with ${characters} characters: ${expected}`, () =>
      assert.strictEqual(shedAt({ entries, characters }), expected))
})

describe("isShed", () => {
  it("refuses reads first, then new calls, and nothing else", () => {
    const refused = (["nothing", "reads", "calls"] as const).map((shed) =>
      (["reads", "calls", undefined] as const).map((kind) => isShed(shed, kind))
    )
    assert.deepStrictEqual(refused, [
      [false, false, false],
      [true, false, false],
      [true, true, false]
    ])
  })
})
