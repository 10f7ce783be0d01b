import { assert, it } from "@effect/vitest"
import { absentCall, callOfState } from "../../../src/domain/calls/Call.ts"

it("a snapshot comes back as it was written", () => {
  const call = { ...absentCall("c"), sequence: 3, pbx: { ...absentCall("c").pbx, seq: 7 } }
  assert.deepStrictEqual(callOfState("c", JSON.stringify(call)), call)
})

it("what an older engine did not write is as in a call that has just begun", () => {
  const { child_call_ids: _, pbx: { closed: __, ...pbx }, ...older } = absentCall("c")
  assert.deepStrictEqual(callOfState("c", JSON.stringify({ ...older, sequence: 3, pbx })), { ...absentCall("c"), sequence: 3 })
})
