import { assert, describe, it } from "@effect/vitest"
import { absentCall, type Call } from "../../../src/domain/calls/Call.ts"
import { callOfState, stateOfCall } from "../../../src/domain/calls/StoredCall.ts"
import * as Fixtures from "./Fixtures.ts"

const { absent, call_id, ringing } = Fixtures

/** A call each of whose members is a list of its own name. */
const named = (): Call => {
  const names = (members: object) => Object.fromEntries(Object.keys(members).map((name) => [name, [name]]))
  const optional = {
    engaged: 0,
    consulted: 0,
    commands: 0,
    watches: 0,
    talk_limit: 0,
    turns: 0,
    recordings: 0
  } satisfies Partial<Record<keyof Call, 0>>
  return { ...names({ ...absent, ...optional }), pbx: names({ ...absent.pbx, doubted_at: 0 }) } as unknown as Call
}

const isCall = (value: unknown): value is Call => typeof value === "object" && value !== null && "phase" in value

describe("the snapshot of a call", () => {
  const calls = Object.entries(Fixtures).filter((entry): entry is [string, Call] => isCall(entry[1]))

  it.each(calls)("comes back as it was written: %s", (_name, call) => {
    assert.deepStrictEqual(callOfState(call.id, stateOfCall(call)), call)
  })

  it("has every member of a call, each under its own name", () => {
    assert.deepStrictEqual(JSON.parse(stateOfCall(named())), named())
  })

  it("has no member that says nothing, nor what is in memory alone", () => {
    const state = stateOfCall({ ...ringing, said: [] })
    assert.notMatch(state.replace(JSON.stringify(ringing.facts), ""), /null|\[\]|said/)
    assert.deepInclude(JSON.parse(state), { phase: "ringing", hold_open: ringing.hold_open, sequence: 1 })
  })

  it("is read where an older engine wrote all members, or did not know some", () => {
    const {
      child_call_ids: _,
      pbx: { closed: __, ...pbx },
      ...older
    } = absentCall(call_id)
    assert.deepStrictEqual(callOfState(call_id, JSON.stringify({ ...older, sequence: 3, pbx })), {
      ...absent,
      sequence: 3
    })
  })
})
