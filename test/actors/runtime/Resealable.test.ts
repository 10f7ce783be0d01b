import { assert, describe, it } from "@effect/vitest"
import { replacedIn } from "../../../src/actors/runtime/Resealable.ts"

describe("texts put in place of others", () => {
  const replaced = { old: "new", older: "newer" }
  it.each([
    ["old", "new"],
    ["none", "none"],
    ["toString", "toString"],
    [null, null],
    [7, 7],
    [
      ["old", "x", "older"],
      ["new", "x", "newer"]
    ],
    [
      { a: { b: ["old"] }, c: null, old: 1 },
      { a: { b: ["new"] }, c: null, old: 1 }
    ]
  ])("in %j: %j", (value, expected) => assert.deepStrictEqual<unknown>(replacedIn(value, replaced), expected))

  it("leave what has none of them what it is, and whatever is no plain value", () => {
    const value = { a: ["x"], map: new Map([["old", "old"]]) }
    assert.strictEqual(replacedIn(value, replaced), value)
    const changed = replacedIn({ ...value, b: "old" }, replaced)
    assert.strictEqual(changed.map, value.map)
    assert.strictEqual(changed.a, value.a)
  })
})
