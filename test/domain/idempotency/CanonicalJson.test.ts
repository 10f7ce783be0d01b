import { assert, describe, it } from "@effect/vitest"
import { Result, Schema } from "effect"
import { canonicalJson } from "../../../src/domain/idempotency/CanonicalJson.ts"
import { idempotencyKey } from "../../../src/domain/idempotency/IdempotencyKey.ts"

const canonical = (text: string) => Result.getOrThrow(canonicalJson(JSON.parse(text)))

/**
 * Node 26.10 reads a member's name of one escaped character as a backslash, once the members before it were read with a
 * backslash after them: what such a document holds, JSON.parse cannot say.
 */
const isReadTrue = (text: string) => !/[{,]"\\(?:u[0-9a-f]{4}|.)":/.test(text)

const nested = (depth: number): unknown => JSON.parse("[".repeat(depth) + "]".repeat(depth))

describe("canonicalJson", () => {
  it("is the same for every spelling of a document", () => {
    const spellings = [
      `{"to":"+254700000001","metadata":{"b":[1,{"y":null,"x":true}],"a":"é/"}}`,
      ` { "metadata" : { "a" : "\\u00e9\\/", "b" : [ 1.0 , { "x" : true , "y" : null } ] } , "to" : "+254700000001" } `,
      `{"metadata":{"b":[1e0,{"x":true,"y":null}],"a":"é/"},\n\t"to":"+254700000001"}`
    ]
    for (const text of spellings) {
      assert.strictEqual(canonical(text), `{"metadata":{"a":"é/","b":[1,{"x":true,"y":null}]},"to":"+254700000001"}`)
    }
  })

  it.each([
    [`[1,2]`, `[2,1]`],
    [`{"a":1}`, `{"a":"1"}`],
    [`{"a":null}`, `{}`],
    [`{"a":{}}`, `{"a":[]}`],
    [`{"a":"b\\",\\"c"}`, `{"a":"b","c":""}`],
    [`""`, `null`],
    [`{"__proto__":{"a":1}}`, `{}`]
  ])("distinguishes %s from %s", (left, right) => {
    assert.notStrictEqual(canonical(left), canonical(right))
  })

  it("orders members by code unit, numeric names too", () => {
    assert.strictEqual(canonical(`{"10":0,"9":0,"a":0,"B":0,"":0}`), `{"":0,"10":0,"9":0,"B":0,"a":0}`)
  })

  it("distinguishes an absent body from an empty one", () => {
    assert.strictEqual(Result.getOrThrow(canonicalJson(undefined)), "")
  })

  it("refuses documents that are nested too deeply", () => {
    assert.isTrue(Result.isSuccess(canonicalJson(nested(64))))
    for (const depth of [65, 100_000]) {
      const refused = Result.getOrThrow(Result.flip(canonicalJson(nested(depth))))
      assert.strictEqual(refused._tag, "validation.bad_request")
      assert.strictEqual(refused.details?.[0]?.code, "too_deep")
    }
  })

  it.prop("holds the document", [Schema.Json], ([document]) => {
    const text = JSON.stringify(document)
    if (!isReadTrue(text)) return
    assert.deepEqual(JSON.parse(canonical(text)), JSON.parse(text))
  })

  it.each(["\n", "\t", "\u0000", '"', "\\"])("holds a member that is named %j", (name) => {
    assert.strictEqual(Result.getOrThrow(canonicalJson({ a: 1, [name]: 2 })), `{${JSON.stringify(name)}:2,"a":1}`)
  })
})

describe("idempotencyKey", () => {
  it.each(["a", "order 66", "~!", "k".repeat(255)])("takes %j", (header) => {
    assert.strictEqual(Result.getOrThrow(idempotencyKey(header)), header)
  })

  it.each(["", "k".repeat(256), "clé", "a\tb", "a\n", "\u007f"])("refuses %j", (header) => {
    assert.strictEqual(Result.getOrThrow(Result.flip(idempotencyKey(header)))._tag, "idempotency.key_invalid")
  })
})
