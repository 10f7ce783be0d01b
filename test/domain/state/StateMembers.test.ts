import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import {
  beginningOf,
  beginsAs,
  given,
  list,
  nested,
  nullable,
  optional,
  sparseBy,
  type StateOf,
  storedAs,
  storedFields,
  unstored
} from "../../../src/domain/state/StateMembers.ts"

const members = {
  id: given(Schema.String),
  phase: storedAs(Schema.Literals(["none", "on"]), Schema.Literal("on"), "none"),
  count: beginsAs(Schema.Int, 0),
  at: nullable(Schema.Int),
  names: list(Schema.String),
  note: optional(Schema.String),
  seen: unstored(Schema.Boolean),
  part: nested({ open: beginsAs(Schema.Boolean, true), since: nullable(Schema.Int) })
}

const full: StateOf<typeof members> = {
  id: "a",
  phase: "on",
  count: 2,
  at: 3,
  names: ["b"],
  note: "c",
  seen: true,
  part: { open: false, since: 4 }
}

const begun: StateOf<typeof members> = { ...beginningOf(members), id: "a" }

describe("the members of a state", () => {
  it("begin as the table says", () => {
    assert.deepStrictEqual(begun, {
      id: "a",
      phase: "none",
      count: 0,
      at: null,
      names: [],
      part: { open: true, since: null }
    })
  })

  it("are stored with their values, except for those that are kept in memory", () => {
    const { seen: _, ...stored } = full
    assert.strictEqual(JSON.stringify(sparseBy(members)(full)), JSON.stringify(stored))
  })

  it("are left out where they are null, empty or absent", () => {
    assert.strictEqual(
      JSON.stringify(sparseBy(members)({ ...begun, phase: "on" })),
      '{"id":"a","phase":"on","count":0,"part":{"open":true}}'
    )
  })

  it("are checked when they are read", () => {
    const decode = Schema.decodeUnknownSync(Schema.Struct(storedFields(members)))
    const stored: unknown = JSON.parse(JSON.stringify(sparseBy(members)({ ...begun, phase: "on" })))
    assert.deepStrictEqual<unknown>(decode(stored), stored)
    assert.throws(() => decode({ ...(stored as object), phase: "none" }), /phase/)
  })
})
