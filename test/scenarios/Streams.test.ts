import { assert, describe } from "@effect/vitest"
import { Effect, Result } from "effect"
import { Calls } from "../../src/actors/calls/Calls.ts"
import type { VoiceAction } from "../../src/domain/calls/verbs/VoiceAction.ts"
import { budgets } from "../../src/domain/limits/Budgets.ts"
import { CallReads } from "../../src/domain/ports/calls/CallReads.ts"
import { instant } from "../../src/layers/pbx/simulator/Phones.ts"
import { type EngineOptions, PbxSimulator, workspace } from "../../src/testing.ts"
import { FakeRelay } from "../support/FakeRelay.ts"
import { ended, kinds, look, pass, place, scenario } from "../support/Scenario.ts"
import type { CallId } from "../../src/domain/BrandedIds.ts"

type Body = Readonly<Record<string, unknown>>

const url = "wss://agent.test/voice"
const next = "https://app.test/next"

/** A relay that the test plays, and a callback that answers with one document after the other. */
const world = (...documents: ReadonlyArray<ReadonlyArray<VoiceAction>>) => {
  const asked: Array<Body> = []
  const relay = new FakeRelay()
  const options: EngineOptions = {
    phones: () => instant,
    relay: relay.port,
    callback: ({ body }) => Effect.succeed(documents[asked.push(JSON.parse(body)) - 1] ?? [])
  }
  const stream_id = () => relay.opened[0]!.stream_id
  return { asked, options, relay, stream_id }
}

const eventOf = (id: CallId, kind: string) =>
  Effect.flatMap(CallReads, (reads) =>
    Effect.map(
      reads.events(workspace.id, id, 0, 200),
      (events) => events.find((event) => event.kind === kind)?.payload as unknown as Body
    )
  )

describe("the media streams of a call", () => {
  const duplex = world([{ stream: { url, name: "agent", action_url: next, parameters: { order: "7" } } }])
  scenario(
    "connect the phone with the application, and go on with the result when it is over",
    duplex.options,
    Effect.gen(function* () {
      const { asked, relay, stream_id } = duplex
      const { id } = yield* place("+254711000000")
      yield* pass(1)
      assert.deepInclude(relay.opened[0], { url, call_id: id, account_id: workspace.id, parameters: { order: "7" } })
      relay.tell(stream_id(), { kind: "connected" })
      relay.tell(stream_id(), { kind: "started" })
      yield* pass(5)
      assert.deepStrictEqual(relay.attached, [[stream_id(), { kind: "phone" }]])
      assert.deepInclude(yield* eventOf(id, "call.stream_started"), { name: "agent", mode: "duplex" })
      relay.tell(stream_id(), { kind: "ended", result: "remote_closed", detail: null })
      yield* pass(1)
      assert.deepInclude(yield* eventOf(id, "call.stream_ended"), { result: "remote_closed", stream_seconds: 5 })
      assert.deepInclude(asked[1], {
        reason: "stream_completed",
        result: { status: "remote_closed", stream_id: stream_id(), name: "agent", duration_seconds: 5 }
      })
      ended(yield* look(id), { status: "completed", hangup_cause: "actions_ended" })
    })
  )

  const transcribed = world([{ stream: { url } }])
  scenario(
    "store the transcript of the application",
    transcribed.options,
    Effect.gen(function* () {
      const { relay, stream_id } = transcribed
      const { id } = yield* place("+254711000000")
      yield* pass(1)
      relay.tell(stream_id(), { kind: "connected" })
      relay.tell(stream_id(), { kind: "said", role: "user", text: "Good d", final: false, turn: 1 })
      relay.tell(stream_id(), { kind: "said", role: "user", text: "Good day", final: true, turn: 1 })
      relay.tell(stream_id(), { kind: "said", role: "agent", text: "How can I help?", final: true, turn: 2 })
      relay.tell(stream_id(), { kind: "hangup" })
      yield* pass(2)
      const turns = yield* Effect.flatMap(CallReads, (reads) => reads.events(workspace.id, id, 0, 10, "turns"))
      assert.deepStrictEqual(
        turns.map(({ payload }) => (payload as unknown as Body)["text"]),
        ["Good day", "How can I help?"]
      )
      ended(yield* look(id), { status: "completed", hangup_cause: "normal_clearing", hangup_source: "workspace" })
      assert.include(yield* kinds(id), "call.transcript_available")
    })
  )

  const forked = world([
    { stream: { url, mode: "fork", name: "copy" } },
    { pause: { seconds: 3 } },
    { stop_stream: { name: "copy" } },
    { pause: { seconds: 3 } }
  ])
  scenario(
    "copy the audio while the script goes on, until they are stopped",
    forked.options,
    Effect.gen(function* () {
      const { relay, stream_id } = forked
      const { id } = yield* place("+254711000000")
      yield* pass(1)
      relay.tell(stream_id(), { kind: "connected" })
      relay.tell(stream_id(), { kind: "started" })
      yield* pass(1)
      assert.lengthOf(relay.live, 1)
      yield* pass(2)
      assert.lengthOf(relay.live, 0)
      assert.deepInclude(yield* eventOf(id, "call.stream_ended"), { result: "completed", stream_seconds: 2 })
      yield* pass(4)
      ended(yield* look(id), { status: "completed", hangup_cause: "actions_ended" })
    })
  )

  const dropped = world([{ stream: { url } }])
  scenario(
    "end with the call, before it is completed",
    dropped.options,
    Effect.gen(function* () {
      const { relay, stream_id } = dropped
      const { id, session_id } = yield* place("+254711000000")
      yield* pass(1)
      relay.tell(stream_id(), { kind: "connected" })
      relay.tell(stream_id(), { kind: "started" })
      yield* pass(1)
      yield* Effect.flatMap(PbxSimulator, ({ remoteHangup }) => remoteHangup(session_id))
      yield* pass(1)
      assert.lengthOf(relay.live, 0)
      const said = yield* kinds(id)
      assert.isBelow(said.indexOf("call.stream_ended"), said.indexOf("call.completed"))
      assert.lengthOf(
        said.filter((kind) => kind === "call.stream_ended"),
        1
      )
    })
  )

  const replaced = world([{ stream: { url } }])
  scenario(
    "give way to actions of their application",
    replaced.options,
    Effect.gen(function* () {
      const { relay, stream_id } = replaced
      const { id } = yield* place("+254711000000")
      yield* pass(1)
      relay.tell(stream_id(), { kind: "connected" })
      relay.tell(stream_id(), { kind: "started" })
      relay.tell(stream_id(), { kind: "actions", document: '{"actions":[{"hangup":{"reason":"busy"}}]}' })
      yield* pass(1)
      ended(yield* look(id), { status: "completed", hangup_cause: "user_busy" })
      assert.lengthOf(relay.live, 0)
    })
  )

  const invalid = world([{ stream: { url } }])
  scenario(
    "end with what the relay says of an application that sends actions that are none",
    invalid.options,
    Effect.gen(function* () {
      const { relay, stream_id } = invalid
      const { id } = yield* place("+254711000000")
      yield* pass(1)
      const detail = "The actions are not valid at /actions/0/sing: Unknown action."
      relay.tell(stream_id(), { kind: "ended", result: "protocol_error", detail })
      yield* pass(1)
      assert.deepInclude(yield* eventOf(id, "call.stream_ended"), { result: "protocol_error", detail })
    })
  )

  const talkative = world([{ stream: { url } }, { pause: { seconds: 60 } }])
  scenario(
    "end when the transcript of the call has as many turns as one may have, and the call goes on",
    talkative.options,
    Effect.gen(function* () {
      const { relay, stream_id } = talkative
      const { id } = yield* place("+254711000000")
      yield* pass(1)
      const most = budgets.call_turns.limit
      relay.tell(stream_id(), { kind: "connected" })
      for (let turn = 1; turn <= most + 10; turn++)
        relay.tell(stream_id(), { kind: "said", role: "user", text: "x", final: true, turn })
      yield* pass(2)
      assert.strictEqual((yield* look(id)).status, "answered")
      assert.deepInclude(yield* eventOf(id, "call.stream_ended"), { result: "limit_reached" })
      const turns = yield* Effect.flatMap(CallReads, (reads) => reads.events(workspace.id, id, 0, 2 * most, "turns"))
      assert.lengthOf(turns, most)
    })
  )

  const without: EngineOptions = { phones: () => instant, callback: () => Effect.succeed([{ stream: { url } }]) }
  scenario(
    "are refused before anything rings, or fail the callback, if the gateway has none",
    without,
    Effect.gen(function* () {
      const calls = yield* Calls
      const refused = yield* Effect.result(
        calls.originate(workspace.id, { to: "+254711000000", from: workspace.number, actions: [{ stream: { url } }] })
      )
      assert.isTrue(Result.isFailure(refused) && refused.failure._tag === "calls.action_unsupported")
      const { id } = yield* place("+254711000000")
      yield* pass(2)
      ended(yield* look(id), { hangup_cause: "voice_action_invalid" })
      assert.deepInclude(yield* eventOf(id, "call.callback_failed"), { pointer: "/actions/0/stream" })
    })
  )
})
