import { assert, describe, it } from "@effect/vitest"
import { differences } from "../../src/cli/OpenApiCommand.ts"

describe("the differences of two documents", () => {
  it.each<[string, unknown, unknown, ReadonlyArray<string>]>([
    ["are none for equal ones", { a: { b: [1] } }, { a: { b: [1] } }, []],
    ["name the deepest member", { a: { b: 1, c: 2 } }, { a: { b: 1, c: 3 } }, ["/a/c"]],
    ["name a member that one of them lacks", { a: 1 }, { a: 1, b: 2 }, ["/b"]],
    ["name a list as a whole", { a: [1, 2] }, { a: [1, 3] }, ["/a"]],
    ["escape what a JSON pointer escapes", { "/v1/a~b": 1 }, {}, ["/~1v1~1a~0b"]],
    ["are the whole for values of another type", [], {}, ["/"]]
  ])("%s", (_, one, other, expected) => {
    assert.deepStrictEqual(differences(one, other), expected)
  })
})
