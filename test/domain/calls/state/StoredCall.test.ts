import { assert, describe, it } from "@effect/vitest"
import { toCallId } from "../../../../src/domain/BrandedIds.ts"
import type { Call, PlacedCall } from "../../../../src/domain/calls/state/Call.ts"
import { callOfState, callState, restoreCall, stateOfCall } from "../../../../src/domain/calls/state/StoredCall.ts"
import { storedFixtures, testStoredStates } from "../../../support/StoredStates.ts"
import * as Fixtures from "../Fixtures.ts"

const { absent, call_id, ringing } = Fixtures

testStoredStates("Call", {
  isComplete: false,
  state: callState,
  restore: restoreCall,
  stateOf: stateOfCall,
  // Members that are left out are as in a new call.
  expected: ({ v: _, ...stored }) => ({ ...absent, ...stored, pbx: { ...absent.pbx, ...stored.pbx, recalled: true } }),
  damages: [
    ["a phase that does not exist", '"phase":"settling"', '"phase":"billing"', "/phase"],
    ["a cost that is text", '"cost_minor":300', '"cost_minor":"300"', "/cost_minor"],
    [
      "a rate that is no whole number",
      '"rate_per_min_minor":',
      '"rate_per_min_minor":0.5,"x":',
      "/facts/rate_per_min_minor"
    ],
    ["a leg in no phase", '"phase":"joined"', '"phase":"lost"', "/dial/legs/0/phase"],
    ["no session of its PBX", '"pbx":', '"box":', "/pbx"]
  ],
  // Voice actions and events of a PBX are not described by the schema.
  generates: false
})

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
    hangup_awaited_until: 0,
    recordings: 0,
    streams: 0,
    conferences: 0,
    clock_set_ms: 0
  } satisfies Partial<Record<keyof Call, 0>>
  return { ...names({ ...absent, ...optional }), pbx: names({ ...absent.pbx, doubted_at: 0 }) } as unknown as Call
}

const isPlacedCall = (value: unknown): value is PlacedCall =>
  typeof value === "object" && value !== null && "phase" in value && value.phase !== "absent"

describe("the stored state of a call", () => {
  const calls = Object.entries(Fixtures).filter((entry): entry is [string, PlacedCall] => isPlacedCall(entry[1]))

  it.each(calls)("is restored as it was written: %s", (_name, call) => {
    assert.deepStrictEqual(callOfState(call.id, stateOfCall(call)), call)
  })

  it.each(calls)("restores an actor: %s", (_name, call) => {
    const row = { version: 1, workspace_id: null, alarm: null, holds: [] }
    const restored = { ...call, pbx: { ...call.pbx, recalled: true as const } }
    const state = stateOfCall(call)
    assert.deepStrictEqual(restoreCall({ ...row, state }, call.id), restored)
    const version0 = state.replace('"v":0,', "")
    assert.deepStrictEqual(restoreCall({ ...row, state: version0 }, call.id), restored)
  })

  it.each([
    ["a phase that does not exist", '"phase":"ringing"', '"phase":"dialing"'],
    ["money that is no whole number", '"rate_per_min_minor":', '"rate_per_min_minor":0.5,"x":'],
    ["no facts", '"facts":', '"fact":']
  ])("is unreadable with %s", (_name, valid, damaged) => {
    const state = stateOfCall(ringing)
    assert.include(state, valid)
    assert.throws(() => callState.read(state.replace(valid, damaged)), /does not match its schema/)
  })

  it("has every member of a call, each under its own name", () => {
    assert.deepStrictEqual(JSON.parse(stateOfCall(named())), { v: callState.version, ...named() })
  })

  it("has its members in this order", () => {
    const order = `id phase facts sequence ringing_at answered_at ended_at ending cost_minor covered_minutes refused_minute
      hold_open talk_limit script engaged consulted commands watches reception dial child_call_ids stopping spare_hold_ids
      picked_up detect_until answered_by mute hold told_parent turns recordings streams conferences resumed_at
      hangup_awaited_until clock_set_ms`
    const ofSession = "seq ahead gap_since proof_at doubted_at closed revived_at"
    const text = (names: string) => names.split(/\s+/).map((name) => `"${name}":["${name}"]`)
    assert.strictEqual(
      stateOfCall(named()),
      `{"v":${callState.version},${text(order).join()},"pbx":{${text(ofSession).join()}}}`
    )
  })

  it("has these members if the call is absent", () => {
    assert.strictEqual(
      stateOfCall(absent),
      `{"v":0,"id":"${call_id}","phase":"absent","facts":null,"sequence":0,"covered_minutes":0,"hold_open":false,` +
        `"pbx":{"seq":0,"proof_at":0,"closed":false}}`
    )
  })

  it.each(storedFixtures("Call"))("is written byte for byte as before: the call $name", ({ id, state, version }) => {
    const call = callOfState(toCallId(id), state)
    assert.strictEqual(stateOfCall(call), state.replace(/^\{(?!"v")/, `{"v":${version},`))
  })

  it("omits empty members and members that live in memory only", () => {
    const state = stateOfCall({ ...ringing, said: [] })
    assert.notMatch(state.replace(JSON.stringify(ringing.facts), ""), /null|\[\]|said/)
    assert.deepInclude(JSON.parse(state), { phase: "ringing", hold_open: ringing.hold_open, sequence: 1 })
  })

  it("is readable if an older engine wrote all members, or lacked some", () => {
    const {
      child_call_ids: _,
      pbx: { closed: __, ...pbx },
      ...older
    } = ringing
    assert.deepStrictEqual(callOfState(call_id, JSON.stringify({ ...older, sequence: 3, pbx })), {
      ...ringing,
      sequence: 3
    })
  })

  it.each([
    ["answered", { ...ringing, phase: "answered" }],
    ["settling", { ...ringing, phase: "settling", answered_at: 1 }],
    ["ended", { ...ringing, phase: "ended", ended_at: 1 }]
  ])("is unreadable in the phase %s without the members of that phase", (_phase, stored) => {
    assert.throws(() => callOfState(call_id, JSON.stringify(stored)), /lacks a member/)
  })
})
