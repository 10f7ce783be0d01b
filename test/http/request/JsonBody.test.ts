import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { SubscriptionRequest } from "../../../src/domain/webhooks/SubscriptionRecord.ts"
import { OriginateRequest } from "../../../src/domain/calls/verbs/OriginateRequest.ts"
import { parseJson, unknownMembers } from "../../../src/http/request/JsonBody.ts"

const parse = (text: string) => {
  const bytes = new TextEncoder().encode(text)
  return Result.match(parseJson(bytes.buffer), {
    onFailure: ({ details }) => details![0]!,
    onSuccess: (document) => ({ document })
  })
}

describe("a body", () => {
  it("is parsed if it is JSON", () => {
    assert.deepStrictEqual(parse('{"a": [1, "\\u0041"]}'), { document: { a: [1, "A"] } })
    assert.deepStrictEqual(parse(""), { document: undefined })
    assert.deepStrictEqual(parse("\ufeff1"), { document: 1 })
  })

  it("may be nested 64 levels deep, not counting brackets in strings", () => {
    const levels = (n: number) => `${"[".repeat(n)}${"]".repeat(n)}`
    assert.property(parse(levels(64)), "document")
    assert.deepInclude(parse(levels(65)), { code: "too_deep" })
    assert.deepInclude(parse(`{"a":${levels(64)}}`), { code: "too_deep" })
    assert.property(parse(JSON.stringify("[".repeat(500))), "document")
    assert.property(parse(JSON.stringify(`\\"${"{".repeat(500)}`)), "document")
    assert.property(parse(JSON.stringify(Array.from({ length: 500 }, () => []))), "document")
  })

  it("is refused with a pointer if a text cannot be stored", () => {
    assert.deepInclude(parse(String.raw`{"a": {"b/c": ["x", "\u0000"]}}`), {
      code: "invalid_characters",
      field: "/a/b~1c/1"
    })
    assert.deepInclude(parse(String.raw`{"\udc00": 1}`), { code: "invalid_characters", field: "" })
    assert.deepInclude(parse(String.raw`["\ud83d\ude00", "\\u0000"]`), { document: ["😀", "\\u0000"] })
  })
})

describe("unknown members", () => {
  it("are found at every depth that the schema describes", () => {
    const known = { url: "u", events: ["a"], filters: { number_ids: ["x"], colour: 1 }, sort: {}, "a/b": 1 }
    assert.deepStrictEqual(unknownMembers(SubscriptionRequest.ast, known), ["/filters/colour", "/sort", "/a~1b"])
    assert.deepStrictEqual(unknownMembers(OriginateRequest.ast, { metadata: { any: "thing" } }), [])
    for (const value of [null, 1, "x", [], undefined])
      assert.deepStrictEqual(unknownMembers(OriginateRequest.ast, value), [])
  })
})
