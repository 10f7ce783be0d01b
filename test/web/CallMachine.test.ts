import { assert, describe, it } from "@effect/vitest"
import { advanceCall, type Call, type CallAction, type CallInput, callState, idle } from "../../src/web/CallMachine.ts"
import { ClientError } from "../../src/web/ClientError.ts"

const call: CallInput = { _tag: "Call", to: "+254711000200", sessionId: "a" }
const comes: CallInput = { _tag: "Incoming", from: "1002", sessionId: "b" }
const opened: CallInput = { _tag: "MicrophoneOpened" }
const denied: CallInput = { _tag: "MicrophoneRefused", error: new ClientError("microphone_denied") }
const rings = (early_media: boolean): CallInput => ({ _tag: "Progress", early_media })
const answered: CallInput = { _tag: "Answered" }
const accept: CallInput = { _tag: "Accept" }
const hangUp: CallInput = { _tag: "HangUp" }
const ended = (by: "local" | "remote" | "system", code?: number, header?: string): CallInput => ({
  _tag: "Ended",
  by,
  ...(code !== undefined && { code }),
  ...(header !== undefined && { header })
})

const placed = [call, opened]
const talking = [...placed, rings(true), answered]
const taken = [comes, accept, opened, answered]

const brief = (action: CallAction): string => {
  switch (action._tag) {
    case "Tell": {
      const { name, payload } = action.event
      if (payload instanceof ClientError) return `tell error ${payload.code}`
      return ["tell", name, ...Object.values(payload as object).map(String)].join(" ")
    }
    case "Dial":
      return `dial ${action.to}`
    case "Refuse":
      return `refuse ${action.status}`
    default:
      return action._tag[0]!.toLowerCase() + action._tag.slice(1)
  }
}

const run = (inputs: ReadonlyArray<CallInput>) =>
  inputs.reduce<{ readonly call: Call; readonly done: ReadonlyArray<string> }>(
    (before, input) => {
      const { actions, call } = advanceCall(before.call, input)
      return { call, done: actions.map(brief) }
    },
    { call: idle, done: [] }
  )

describe("the call of a browser client", () => {
  const table: ReadonlyArray<
    readonly [name: string, inputs: ReadonlyArray<CallInput>, phase: Call["phase"], done: ReadonlyArray<string>]
  > = [
    ["asks for the microphone first", [call], "opening", ["openMicrophone"]],
    ["dials when it is allowed", placed, "calling", ["dial +254711000200"]],
    ["places no call without a microphone", [call, denied], "idle", ["tell error microphone_denied"]],
    ["tells that it rings", [...placed, rings(false)], "ringing", ["tell ringing a false"]],
    ["tells that once", [...placed, rings(false), rings(false)], "ringing", []],
    ["tells when early media begins", [...placed, rings(false), rings(true)], "ringing", ["tell ringing a true"]],
    ["but not when it goes on", [...placed, rings(true), rings(false)], "ringing", []],
    ["tells that it is answered", talking, "active", ["tell answered a"]],
    ["is answered without having rung", [...placed, answered], "active", ["tell answered a"]],
    ["has one call at a time", [...talking, call], "active", ["tell error busy"]],
    ["and while the microphone is asked for", [call, call], "opening", ["tell error busy"]],
    ["refuses a second incoming call", [...talking, comes], "active", ["refuseOther"]],
    ["also while it asks for the microphone", [call, comes], "opening", ["refuseOther"]],
    ["is hung up", [...talking, hangUp], "ending", ["terminate"]],
    [
      "tells the end of what it hung up",
      [...talking, hangUp, ended("local")],
      "idle",
      ["release", "tell hangup normal_clearing local a"]
    ],
    [
      "tells that the other side hung up",
      [...talking, ended("remote")],
      "idle",
      ["release", "tell hangup normal_clearing remote a"]
    ],
    [
      "is cancelled",
      [...placed, rings(true), hangUp, ended("local")],
      "idle",
      ["release", "tell hangup canceled_by_workspace local a"]
    ],
    [
      "is cancelled before anything was sent",
      [call, hangUp],
      "idle",
      ["release", "tell hangup canceled_by_workspace local a"]
    ],
    ["forgets the microphone that comes after that", [call, hangUp, opened], "idle", []],
    [
      "is refused as busy",
      [...placed, ended("remote", 486)],
      "idle",
      ["release", "tell hangup user_busy remote a 486"]
    ],
    ["tells an incoming call", [comes], "incoming", ["tell incoming 1002 b"]],
    ["asks for the microphone to accept it", [comes, accept], "accepting", ["openMicrophone"]],
    ["accepts once", [comes, accept, accept], "accepting", []],
    ["answers when it is allowed", [comes, accept, opened], "answering", ["answer"]],
    ["tells when it is accepted", taken, "active", ["tell accepted b"]],
    ["goes on ringing without a microphone", [comes, accept, denied], "incoming", ["tell error microphone_denied"]],
    ["rejects", [comes, { _tag: "Reject", busy: false }], "ending", ["tell declined b", "refuse 603"]],
    ["rejects as busy", [comes, { _tag: "Reject", busy: true }], "ending", ["tell declined b", "refuse 486"]],
    [
      "tells the end of a rejected call",
      [comes, { _tag: "Reject", busy: false }, ended("local")],
      "idle",
      ["release", "tell hangup call_rejected local b"]
    ],
    [
      "and of one that it was busy for",
      [comes, { _tag: "Reject", busy: true }, ended("local")],
      "idle",
      ["release", "tell hangup user_busy local b"]
    ],
    ["rejects an incoming call that is hung up", [comes, hangUp], "ending", ["tell declined b", "refuse 603"]],
    ["also while it is being accepted", [comes, accept, hangUp], "ending", ["tell declined b", "refuse 603"]],
    ["rejects nothing else", [...talking, { _tag: "Reject", busy: true }], "active", []],
    ["tells that the caller gave up", [comes, ended("remote")], "idle", ["release", "tell hangup no_answer remote b"]],
    [
      "tells that another device answered",
      [comes, ended("remote", undefined, 'Q.850;cause=26;text="Answered elsewhere"')],
      "idle",
      ["release", "tell hangup answered_elsewhere remote b"]
    ],
    ["is put on hold", [...talking, { _tag: "Held" }], "held", []],
    ["and taken back", [...talking, { _tag: "Held" }, { _tag: "Unheld" }], "active", []],
    ["is hung up on hold", [...talking, { _tag: "Held" }, hangUp], "ending", ["terminate"]],
    [
      "ends without a path for the sound",
      [...talking, { _tag: "Failed", code: "ice_failed" }],
      "ending",
      ["tell error ice_failed", "terminate"]
    ],
    [
      "and says so",
      [...talking, { _tag: "Failed", code: "ice_failed" }, ended("local")],
      "idle",
      ["release", "tell hangup media_timeout system a"]
    ],
    [
      "ends before it is placed without one",
      [...placed, { _tag: "Failed", code: "ice_failed" }, ended("local")],
      "idle",
      ["release", "tell hangup pbx_error system a"]
    ],
    [
      "tells one failure",
      [...talking, { _tag: "Failed", code: "ice_failed" }, { _tag: "Failed", code: "ice_failed" }],
      "ending",
      []
    ],
    ["ends nothing without a call", [hangUp], "idle", []],
    ["accepts nothing without a call", [accept], "idle", []]
  ]
  it.each(table)("%s", (_, inputs, phase, done) => {
    const result = run(inputs)
    assert.strictEqual(result.call.phase, phase)
    assert.deepStrictEqual(result.done, done)
  })

  it("shows the page its state", () => {
    const shown = (...inputs: ReadonlyArray<CallInput>) => callState(run(inputs).call)
    assert.deepStrictEqual(
      [shown(), shown(call), shown(...placed), shown(...placed, rings(true)), shown(...talking), shown(comes)],
      ["idle", "calling", "calling", "ringing", "active", "incoming"]
    )
    assert.strictEqual(shown(...talking, { _tag: "Held" }), "held")
    assert.strictEqual(shown(...talking, hangUp), "idle")
  })
})
