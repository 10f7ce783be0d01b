import { assert, describe, it } from "@effect/vitest"
import { Result, Schema } from "effect"
import { storedState, Unreadable } from "../../../src/domain/state/StoredState.ts"

const schema = Schema.Struct({ amount_minor: Schema.Int, note: Schema.optionalKey(Schema.String) })
const state = storedState({
  schema,
  upgrades: [
    ({ amount, ...rest }) => ({ ...rest, amount_minor: Number(amount) * 100 }),
    ({ comment, ...rest }) => (comment === undefined ? rest : { ...rest, note: comment })
  ]
})
const messageOf = (text: string): string => {
  const decoded = state.decode(text)
  assert.isTrue(Result.isFailure(decoded) && decoded.failure instanceof Unreadable)
  return Result.isFailure(decoded) ? decoded.failure.message : ""
}

describe("a stored state", () => {
  it("writes its version first, so that a person who reads the row sees it", () => {
    assert.strictEqual(state.write({ amount_minor: 5 }), '{"v":2,"amount_minor":5}')
  })

  it("writes a state that has no members", () => {
    const empty = storedState({ schema: Schema.Struct({ note: Schema.optionalKey(Schema.String) }), upgrades: [] })
    assert.strictEqual(empty.write({}), '{"v":0}')
    assert.deepStrictEqual(empty.read(empty.write({})), {})
  })

  it("reads its own version and drops members that the schema does not know", () => {
    assert.deepStrictEqual(state.read('{"v":2,"amount_minor":5,"old":true}'), { amount_minor: 5 })
  })

  it("applies every upgrade after the version of the row; a row without one has version 0", () => {
    assert.deepStrictEqual(state.read('{"amount":5,"comment":"x"}'), { amount_minor: 500, note: "x" })
    assert.deepStrictEqual(state.read('{"v":0,"amount":5}'), { amount_minor: 500 })
    assert.deepStrictEqual(state.read('{"v":1,"amount_minor":5,"comment":"x"}'), { amount_minor: 5, note: "x" })
  })

  it.each([
    ["{", "The stored state is not a JSON object."],
    ["[]", "The stored state is not a JSON object."],
    ["null", "The stored state is not a JSON object."],
    ['{"v":3}', "The stored state has version 3; this engine reads 0 to 2."],
    ['{"v":"1"}', 'The stored state has version "1"; this engine reads 0 to 2.'],
    ['{"v":-1}', "The stored state has version -1; this engine reads 0 to 2."],
    [
      '{"v":2,"amount_minor":1.5,"note":"+254711000001"}',
      "The stored state does not match its schema at /amount_minor."
    ]
  ])("is unreadable: %s", (text, message) => assert.strictEqual(messageOf(text), message))

  it("is unreadable where an upgrade fails", () => {
    const failing = storedState({ schema, upgrades: [({ list }) => ({ amount_minor: (list as [number])[0] })] })
    assert.throws(() => failing.read("{}"), /could not be upgraded from version 0/)
  })

  it("restores an actor from its row", () => {
    const restore = state.restore(({ amount_minor }, { version }, id) => `${id} ${version} ${amount_minor}`)
    const row = { version: 7, workspace_id: null, state: '{"v":2,"amount_minor":5}', alarm: null, holds: [] }
    assert.strictEqual(restore(row, "one"), "one 7 5")
    assert.strictEqual(restore.version, 2)
  })
})
