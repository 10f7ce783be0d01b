import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import type { AnsweredCall, Call, PlacedCall } from "../../../../src/domain/calls/state/Call.ts"
import { isPlaced } from "../../../../src/domain/calls/state/Call.ts"
import type { CallMessage } from "../../../../src/domain/calls/state/CallCommand.ts"
import { decideCall } from "../../../../src/domain/calls/decide/DecideCall.ts"
import { evolveAll } from "../../../../src/domain/calls/decide/EvolveCall.ts"
import { planCall } from "../../../../src/domain/calls/decide/PlanCall.ts"
import { budgets } from "../../../../src/domain/limits/Budgets.ts"
import { unsupportedAction, type VoiceAction } from "../../../../src/domain/calls/verbs/VoiceAction.ts"
import type { PbxEventData, PbxEventType } from "../../../../src/domain/pbx/PbxEvent.ts"
import { openStreamsMax, type StreamAction, streamIdOf } from "../../../../src/domain/streams/CallStream.ts"
import { answered_at, asking, call_id, facts, pbxEvent, settling, stream } from "../Fixtures.ts"

const url = "wss://example.com/agent"
const next = "https://example.com/next"
const able: PlacedCall = { ...asking, facts: { ...facts, capabilities: ["stream.v1"] } }

const told = (call: Call, message: CallMessage, now = answered_at + 1_000) => {
  if (!isPlaced(call)) throw new Error("absent")
  const { events } = Result.getOrThrow(decideCall(call, message, now))
  return { call: evolveAll(call, events), tags: events.map(({ _tag }) => _tag), events }
}
const reported = (call: Call, type: PbxEventType, data: PbxEventData, now?: number) => {
  const { events, tags, ...after } = told(
    call,
    { _tag: "PbxReported", event: pbxEvent(type, call.pbx.seq + 1, data) },
    now
  )
  return { ...after, events, tags: tags.filter((tag) => tag !== "PbxApplied") }
}
/** The call after its callback has answered with these actions. */
const doing = (...actions: ReadonlyArray<VoiceAction>): PlacedCall => {
  return told(able, { _tag: "CallbackSucceeded", step: 0, actions }).call
}
const streaming = (action: Partial<StreamAction> = {}) =>
  doing({ stream: { url, ...action } }, { pause: { seconds: 5 } })
const id = (step = 0) => streamIdOf(call_id, step)
const commands = (call: Call) =>
  planCall(call).flatMap((work) =>
    work._tag === "Task" && work.work._tag === "SendToPbx" && work.work.command.action.kind.startsWith("stream")
      ? [work.work.command]
      : []
  )
const isPausing = ({ script }: PlacedCall) =>
  script?.question === null && "pause" in (script.actions[script.index] ?? {})

describe("a stream of a call", () => {
  it("is begun at the PBX by one command, with what the action says", () => {
    const call = streaming({ name: "agent", parameters: { a: "b" }, format: "l16-16000", time_limit: 60 })
    assert.deepStrictEqual(commands(call), [
      {
        id: `${call_id}:stream:0`,
        session_id: facts.session_id,
        tenant_pbx_id: "tenant",
        seq: 27,
        action: {
          kind: "stream.start",
          stream_id: id(),
          call_id,
          account_id: facts.workspace_id,
          name: "agent",
          url,
          mode: "duplex",
          tracks: ["inbound"],
          format: "l16-16000",
          parameters: { a: "b" },
          time_limit_seconds: 60,
          resumed: false
        }
      }
    ])
    assert.deepStrictEqual(call.commands?.at(-1)?.[0], "stream:0")
  })

  it.each<[StreamAction["track"], ReadonlyArray<string>]>([
    ["inbound", ["inbound"]],
    ["outbound", ["outbound"]],
    ["both", ["inbound", "outbound"]],
    [undefined, ["inbound", "outbound"]]
  ])("copies the tracks of a fork: %s", (track, tracks) => {
    const [command] = commands(streaming({ mode: "fork", ...(track && { track }) }))
    assert.deepInclude(command!.action as object, { mode: "fork", tracks })
  })

  it("lets the script go on at once if it is a fork, and only when it has ended if it is duplex", () => {
    assert.isTrue(isPausing(streaming({ mode: "fork" })))
    const duplex = streaming()
    assert.isFalse(isPausing(duplex))
    const started = reported(duplex, "stream.started", { stream_id: id() })
    assert.deepStrictEqual(started.tags, ["StreamStarted"])
    assert.isFalse(isPausing(started.call))
    const ended = reported(started.call, "stream.ended", { stream_id: id(), result: "remote_closed" })
    assert.deepStrictEqual(ended.tags, ["StreamEnded", "ActionDone"])
    assert.isTrue(isPausing(ended.call))
    assert.deepStrictEqual(commands(ended.call), [])
  })

  it("tells the action_url how it ended", () => {
    const call = reported(streaming({ action_url: next }), "stream.started", { stream_id: id() }, answered_at).call
    const { call: after } = reported(
      call,
      "stream.ended",
      { stream_id: id(), result: "too_slow", error: "slow" },
      answered_at + 1_500
    )
    assert.deepInclude(after.script!.question as object, {
      reason: "stream_completed",
      url: next,
      result: { status: "too_slow", stream_id: id(), name: id(), duration_seconds: 2, detail: "slow" }
    })
  })

  it("is asked for as resumed once the application was connected", () => {
    const { call } = reported(streaming(), "stream.started", { stream_id: id() })
    assert.deepInclude(commands(call)[0]!.action, { resumed: true })
  })

  it("stops by its name, and all stop without one", () => {
    const fork = (name: string): VoiceAction => ({ stream: { url, mode: "fork", name } })
    const stops = (call: Call) =>
      commands(call).flatMap(({ action }) => (action.kind === "stream.stop" ? [action] : []))
    const one = doing(fork("a"), fork("b"), { stop_stream: { name: "b" } }, { pause: { seconds: 1 } })
    assert.deepStrictEqual(stops(one), [{ kind: "stream.stop", stream_id: id(1) }])
    const all = doing(fork("a"), fork("b"), { stop_stream: {} }, { pause: { seconds: 1 } })
    assert.lengthOf(stops(all), 2)
    assert.lengthOf(stops(doing(fork("a"), { stop_stream: { name: "x" } }, { pause: { seconds: 1 } })), 0)
  })

  it("stops if the script waits for it and gets new actions", () => {
    const { call, tags } = told(streaming(), { _tag: "Update", actions: [{ pause: { seconds: 9 } }] })
    assert.deepStrictEqual(tags, ["StreamStopped", "ActionsReplaced"])
    assert.isTrue(isPausing(call))
    assert.deepStrictEqual(
      commands(call).map(({ action }) => action.kind),
      ["stream.start", "stream.stop"]
    )
    const { tags: forked } = told(streaming({ mode: "fork" }), { _tag: "Update", actions: [] })
    assert.notInclude(forked, "StreamStopped")
  })

  it("is over at once if the call has too many", () => {
    const forks = Array.from({ length: openStreamsMax }, (): VoiceAction => ({ stream: { url, mode: "fork" } }))
    const call = doing(...forks, { stream: { url, action_url: next } })
    assert.lengthOf(commands(call), openStreamsMax)
    assert.deepInclude(call.script!.question!.result as object, { status: "limit_reached" })
  })

  it("carries out the actions of its application in place of the script", () => {
    const document = JSON.stringify({ actions: [{ pause: { seconds: 3 } }] })
    const { call, tags } = reported(streaming(), "stream.actions", { stream_id: id(), document })
    assert.deepStrictEqual(tags, ["StreamStopped", "ActionsReplaced"])
    assert.isTrue(isPausing(call))
  })

  it.each([
    ["not JSON", "{"],
    ["an unknown action", '{"actions":[{"sing":{}}]}'],
    ["an action for unanswered calls", '{"actions":[{"reject":{}}]}']
  ])("tells the customer of actions that cannot be carried out, and goes on: %s", (_what, document) => {
    const { events, tags } = reported(streaming(), "stream.actions", { stream_id: id(), document })
    assert.deepStrictEqual(tags, ["CallbackFailed"])
    assert.deepInclude(events[0]!, { cause: "voice_action_invalid", http_status: null })
  })

  it("hangs up for its application", () => {
    const { call } = reported(streaming(), "stream.hangup", { stream_id: id() })
    assert.deepInclude(call.ending!, { status: "completed", cause: "normal_clearing", source: "workspace" })
  })

  it("ends as unreported if the PBX says nothing, and only then", () => {
    const call = streaming({ time_limit: 60 })
    const due = answered_at + 1_000 + 120_000
    assert.deepInclude(
      planCall(call).flatMap((work) => (work._tag === "Deadline" && work.key.startsWith("stream:") ? [work.at] : [])),
      due
    )
    const deadline = { _tag: "StreamUnreported", stream_id: id() } as const
    assert.deepStrictEqual(told(call, deadline, due - 1).tags, [])
    assert.deepStrictEqual(told(call, deadline, due).tags, ["StreamEnded", "ActionDone"])
    const stopping = told(call, { _tag: "Update", actions: [{ pause: { seconds: 60 } }] }).call
    assert.deepStrictEqual(told(stopping, deadline, answered_at + 11_000).tags, ["StreamEnded"])
  })

  it("is ended with its call before the call is completed, if the PBX has not reported it", () => {
    const open = { ...stream, started_at: answered_at }
    const call = { ...settling, streams: [open, { ...stream, id: "ST_2" }] }
    const { tags } = told(call, { _tag: "Settled", cost_minor: 300, entry_id: null })
    assert.deepStrictEqual(tags, ["StreamEnded", "Settled"])
    assert.deepStrictEqual(
      reported(told(call, { _tag: "Settled", cost_minor: 300, entry_id: null }).call, "stream.ended", {
        stream_id: open.id,
        result: "completed"
      }).tags,
      []
    )
  })

  it("reports each end once", () => {
    const { call } = reported(streaming(), "stream.ended", { stream_id: id(), result: "connect_failed" })
    assert.deepStrictEqual(reported(call, "stream.ended", { stream_id: id(), result: "completed" }).tags, [])
    assert.deepStrictEqual(reported(call, "stream.started", { stream_id: id() }).tags, [])
  })
})

describe("an action that the gateway of the call cannot carry out", () => {
  const actions: ReadonlyArray<VoiceAction> = [{ pause: { seconds: 1 } }, { stream: { url } }]

  it("is found by what the gateway has said", () => {
    assert.deepStrictEqual(unsupportedAction(actions, undefined), {
      pointer: "/actions/1/stream",
      detail: "The gateway of this call cannot carry out stream."
    })
    assert.isUndefined(unsupportedAction(actions, ["stream.v1"]))
    assert.isUndefined(unsupportedAction([{ pause: { seconds: 1 } }], undefined))
  })

  it("fails the callback that answers with it", () => {
    const { call, tags } = told(asking, { _tag: "CallbackSucceeded", step: 0, actions })
    assert.deepStrictEqual(tags, ["CallbackFailed", "HungUp"])
    assert.deepInclude(call.ending!, { cause: "voice_action_invalid" })
  })

  it("refuses the update that has it", () => {
    const answered = asking as AnsweredCall
    const refused = decideCall(answered, { _tag: "Update", actions }, answered_at)
    assert.isTrue(Result.isFailure(refused) && refused.failure._tag === "calls.action_unsupported")
  })
})

describe("the transcript of a call", () => {
  const turn = { turn: 1, role: "user", text: "Hello", final: true } as const

  it("takes as many turns as a call may have, whoever reports them", () => {
    const most = budgets.call_turns.limit
    const last = reported({ ...streaming(), turns: most - 1 }, "transcript.turn", turn)
    assert.deepStrictEqual(last.tags, ["TranscriptTurnAdded"])
    assert.deepStrictEqual(reported(last.call, "transcript.turn", turn).tags, [])
  })
})
