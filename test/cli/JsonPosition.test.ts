import { assert, describe, it } from "@effect/vitest"
import { positionOf } from "../../src/cli/JsonPosition.ts"

const text = `{
  "note": "a \\"}\\" in a text, [and] this",
  "actions": [
    { "say": { "text": "x" } },
    { "dail": { "number": "+254722000000" } }, 7
  ]
}`

describe("the position of a part of a JSON text", () => {
  for (const [pointer, line, column] of [
    ["", 1, 1],
    ["/note", 2, 3],
    ["/actions", 3, 3],
    ["/actions/0", 4, 5],
    ["/actions/0/say/text", 4, 16],
    ["/actions/1/dail", 5, 7],
    ["/actions/2", 5, 48],
    ["/actions/1/dail/numbers", 5, 7],
    ["/nothing/at/all", 1, 1]
  ] as const)
    it(`is that of ${pointer === "" ? "the whole" : pointer}`, () => {
      assert.deepStrictEqual(positionOf(text, pointer), { line, column })
    })

  it("finds names with the characters that pointers escape", () => {
    assert.deepStrictEqual(positionOf('{"a/b": 1, "c~d": 2}', "/c~0d"), { line: 1, column: 12 })
    assert.deepStrictEqual(positionOf('{"x": 1, "a/b": 2}', "/a~1b"), { line: 1, column: 10 })
  })
})
