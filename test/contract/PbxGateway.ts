// What every PBX gateway must do, whatever carries its calls. The tests of each gateway run this contract: the
// simulator's in virtual time, a real PBX's in real time.
import { assert, describe, it } from "@effect/vitest"
import { Clock, Effect, type Layer } from "effect"
import type { PbxIngest } from "../../src/actors/ingest/PbxIngest.ts"
import type { ActorSystem } from "../../src/actors/runtime/ActorSystem.ts"
import type { PbxAction } from "../../src/domain/pbx/PbxCommand.ts"
import type { PbxEvent } from "../../src/domain/pbx/PbxEvent.ts"
import type { Ids } from "../../src/domain/ports/engine/Ids.ts"
import { MemoryJournal } from "../../src/layers/journal/MemoryJournal.ts"
import { actors } from "../support/PbxWorld.ts"
import { toneFrame } from "../../src/layers/streams/Tone.ts"
import { amplitudeOf, streamApplication, toneMessage } from "../support/StreamApplication.ts"
import { RecordingIngest } from "../support/RecordingIngest.ts"
import { toSessionId } from "../../src/domain/BrandedIds.ts"
import { type Bench, type GatewayUnderTest, makeBench, turn } from "./GatewayUnderTest.ts"

const hangup: PbxAction = { kind: "hangup", cause: "normal_clearing" }

const inOrder = (events: ReadonlyArray<PbxEvent>) =>
  assert.deepStrictEqual(
    events.map(({ seq }) => seq),
    events.map((_, index) => index + 1)
  )

const types = (events: ReadonlyArray<PbxEvent>) => events.map(({ type }) => type)

export const pbxGatewayContract = (
  name: string,
  gateway: Layer.Layer<GatewayUnderTest, never, ActorSystem | Ids | PbxIngest>,
  time: "virtual" | "real" = "virtual",
  /**
   * Whether to run the checks that take half a minute. Once is enough for gateways that differ in their connection
   * only.
   */
  whole = true
) => {
  const test = (does: string, body: (bench: Bench) => Effect.Effect<void>) =>
    it[time === "virtual" ? "effect" : "live"](does, () =>
      Effect.gen(function* () {
        const recorded = new RecordingIngest()
        const engine = actors(yield* MemoryJournal.make)
        yield* Effect.flatMap(makeBench(recorded), body).pipe(
          Effect.provide(gateway),
          Effect.provide([engine, recorded.layer])
        )
      })
    )

  describe(`${name} as a PBX gateway`, () => {
    test("sets up a call and reports it step by step, numbered without gaps", (bench) =>
      Effect.gen(function* () {
        const { answered, dispatch, recorded, told } = bench
        yield* answered("HD_1")
        yield* dispatch("HD_1", hangup)
        const { data } = yield* told("HD_1", "leg.hangup")
        assert.strictEqual(data.source, "platform")
        const events = recorded.of("HD_1")
        inOrder(events)
        const steps = types(events).filter((type) => type !== "leg.early_media")
        assert.deepStrictEqual(steps, ["session.created", "leg.ringing", "leg.answered", "leg.hangup"])
        for (const { tenant_pbx_id } of events) assert.strictEqual(tenant_pbx_id, "t1")
      }))

    test("calls nobody for a call that is over", ({ dispatch, numbers, recorded, told }) =>
      Effect.gen(function* () {
        const originate = (session_id: string, not_after: number) =>
          dispatch(session_id, {
            kind: "originate",
            to: numbers.answers,
            from: "+254700000001",
            caller_id: "+254700000001",
            timeout_seconds: 30,
            not_after: new Date(not_after).toISOString()
          })
        const now = yield* Clock.currentTimeMillis
        yield* originate("HD_1", now)
        yield* originate("HD_2", now + 60_000)
        assert.strictEqual((yield* told("HD_1", "session.snapshot")).data.state, "absent")
        yield* told("HD_2", "leg.answered", 3000)
        assert.deepStrictEqual(types(recorded.of("HD_1")), ["session.snapshot"])
      }))

    test("reports a busy phone by its SIP code", ({ numbers, originate, told }) =>
      Effect.gen(function* () {
        yield* originate("HD_1", numbers.busy)
        yield* told("HD_1", "session.created")
        assert.strictEqual((yield* told("HD_1", "leg.hangup", 1000)).data.sip_code, 486)
      }))

    test("cancels a ringing session", ({ dispatch, numbers, originate, recorded, told }) =>
      Effect.gen(function* () {
        yield* originate("HD_1", numbers.silent)
        yield* told("HD_1", "session.created")
        yield* told("HD_1", "leg.ringing", 1000)
        yield* dispatch("HD_1", hangup)
        assert.strictEqual((yield* told("HD_1", "leg.hangup")).data.sip_code, 487)
        assert.notInclude(types(recorded.of("HD_1")), "leg.answered")
      }))

    test("stops ringing after the ring timeout", ({ numbers, originate, told }) =>
      Effect.gen(function* () {
        yield* originate("HD_1", numbers.silent, 5)
        yield* told("HD_1", "session.created")
        assert.strictEqual((yield* told("HD_1", "leg.hangup", 5100)).data.sip_code, 408)
      }))

    test("reports the end of speech", ({ answered, dispatch, told }) =>
      Effect.gen(function* () {
        yield* answered("HD_1")
        const { id } = yield* dispatch("HD_1", { kind: "say", text: "Hello", loop: 1 })
        yield* turn
        const { data } = yield* told("HD_1", "playback.finished", 5000)
        assert.deepStrictEqual([data.command_id, data.result], [id, "completed"])
      }))

    test("plays a file after the current speech", ({ answered, dispatch, finished, sound, until }) =>
      Effect.gen(function* () {
        yield* answered("HD_1")
        const speech = yield* dispatch("HD_1", { kind: "say", text: "Hello", loop: 1 })
        const file = yield* dispatch("HD_1", { kind: "play", url: sound, loop: 1 })
        yield* turn
        yield* until("two playbacks", () => finished("HD_1").length === 2, 10_000)
        assert.deepStrictEqual(finished("HD_1"), [speech.id, file.id])
      }))

    const gather = {
      kind: "gather",
      min_digits: 0,
      max_digits: 10,
      finish_on_key: "#",
      timeout_ms: 2_000,
      inter_digit_timeout_ms: 2_000
    } as const

    test("collects digits, reporting each, up to the finish key", ({ answered, dispatch, numbers, recorded, told }) =>
      Effect.gen(function* () {
        yield* answered("HD_1", numbers.presses)
        const { id } = yield* dispatch("HD_1", {
          ...gather,
          prompt: { kind: "say", text: "Your code, please.", loop: 1 }
        })
        yield* turn
        const { data } = yield* told("HD_1", "gather.finished", 5_000)
        assert.deepStrictEqual([data.command_id, data.result, data.digits], [id, "complete", "1234"])
        const keys = recorded.of("HD_1").flatMap(({ data, type }) => (type === "dtmf" ? [data.digit] : []))
        assert.deepStrictEqual(keys.slice(0, 4), ["1", "2", "3", "4"])
      }))

    test("waits for a digit no longer than its timeout", ({ answered, dispatch, pass, recorded, told }) =>
      Effect.gen(function* () {
        yield* answered("HD_1")
        yield* dispatch("HD_1", gather)
        yield* turn
        yield* pass(1_500)
        assert.notInclude(types(recorded.of("HD_1")), "gather.finished")
        const { data } = yield* told("HD_1", "gather.finished", 1_500)
        assert.deepStrictEqual([data.result, data.digits ?? ""], ["timeout", ""])
      }))

    test("stops a playback once when told to", ({ answered, dispatch, finished, pass, told, until }) =>
      Effect.gen(function* () {
        yield* answered("HD_1")
        const { id } = yield* dispatch("HD_1", { kind: "say", text: "x".repeat(500), loop: 1 })
        yield* turn
        yield* pass(1_000)
        yield* dispatch("HD_1", { kind: "cut", command_id: id })
        assert.strictEqual((yield* told("HD_1", "playback.finished")).data.command_id, id)
        const next = yield* dispatch("HD_1", { kind: "say", text: "Bye", loop: 1 })
        yield* turn
        yield* until("the next words", () => finished("HD_1").includes(next.id), 5_000)
        assert.deepStrictEqual(finished("HD_1"), [id, next.id])
      }))

    test("bridges several legs with one, and the others continue when one ends", ({
      answered,
      dispatch,
      recorded,
      told,
      until
    }) =>
      Effect.gen(function* () {
        for (const id of ["HD_1", "HD_2", "HD_3"]) yield* answered(id)
        for (const peer_session_id of ["HD_2", "HD_3"])
          yield* dispatch("HD_1", { kind: "bridge", peer_session_id: toSessionId(peer_session_id) })
        const of = (type: PbxEvent["type"]) => recorded.of("HD_1").filter((event) => event.type === type).length
        yield* until("two peers", () => of("leg.bridged") === 2)
        yield* dispatch("HD_2", hangup)
        yield* told("HD_2", "leg.hangup")
        yield* until("one peer less", () => of("leg.unbridged") === 1)
        assert.notInclude(types(recorded.of("HD_3")), "leg.unbridged")
        yield* dispatch("HD_3", hangup)
        yield* until("no peer", () => of("leg.unbridged") === 2)
      }))

    test("reports who answered if answering-machine detection is requested", ({ dispatch, numbers, told }) =>
      Effect.gen(function* () {
        yield* dispatch("HD_1", {
          kind: "originate",
          to: numbers.answers,
          from: "+254700000001",
          caller_id: "+254700000001",
          timeout_seconds: 30,
          machine_detection: { mode: "detect", timeout_seconds: 5 }
        })
        yield* told("HD_1", "session.created")
        assert.include(["human", "machine", "unknown"], (yield* told("HD_1", "machine.detected", 9_000)).data.result)
      }))

    test("connects the audio of a session with an application, as long as it is told to", (bench) =>
      Effect.gen(function* () {
        const { answered, dispatch, recorded, streams, told, until } = bench
        if (!streams) return
        const application = yield* streamApplication()
        yield* answered("HD_1")
        const start = (stream_id: string, url: string) =>
          dispatch("HD_1", {
            kind: "stream.start",
            stream_id,
            call_id: "call",
            account_id: "workspace",
            name: "agent",
            url,
            mode: "duplex",
            tracks: ["inbound"],
            format: "mulaw-8000",
            parameters: {},
            time_limit_seconds: 60,
            resumed: false,
            tenant_streams: 1
          })
        yield* start("ST_1", application.url)
        assert.strictEqual((yield* told("HD_1", "stream.started")).data.stream_id, "ST_1")
        const [connection] = application.connections
        // A phone that answers echoes what it hears.
        connection!.send(toneMessage(Array.from({ length: 100 }, (_, nth) => toneFrame("mulaw-8000", 1_000, nth))))
        yield* until("the echo", () => amplitudeOf(connection!.heard().subarray(-4_000), 1_000) > 5_000)
        yield* start("ST_2", application.url)
        assert.strictEqual((yield* told("HD_1", "stream.ended")).data.result, "limit_reached")
        connection!.send({ event: "transcript", transcript: { role: "user", text: "Hello" } })
        assert.strictEqual((yield* told("HD_1", "transcript.turn")).data.text, "Hello")
        yield* dispatch("HD_1", { kind: "stream.stop", stream_id: "ST_1" })
        const ended = () =>
          recorded.of("HD_1").find(({ data, type }) => type === "stream.ended" && data.stream_id === "ST_1")
        yield* until("the end", () => ended() !== undefined)
        assert.strictEqual(ended()!.data.result, "completed")
        yield* start("ST_3", application.url)
        yield* until(
          "another stream",
          () => recorded.of("HD_1").filter(({ type }) => type === "stream.started").length === 2
        )
        yield* dispatch("HD_1", hangup)
        yield* told("HD_1", "leg.hangup")
        const last = types(recorded.of("HD_1")).slice(-2)
        assert.deepStrictEqual(last, ["stream.ended", "leg.hangup"])
      }).pipe(Effect.scoped))

    test("bridges two legs until one ends", ({ answered, dispatch, told }) =>
      Effect.gen(function* () {
        yield* answered("HD_1")
        yield* answered("HD_2")
        yield* dispatch("HD_1", { kind: "bridge", peer_session_id: toSessionId("HD_2") })
        yield* told("HD_1", "leg.bridged")
        yield* told("HD_2", "leg.bridged")
        yield* dispatch("HD_2", hangup)
        yield* told("HD_2", "leg.hangup")
        yield* told("HD_1", "leg.unbridged")
      }))

    test("ends a talk at its limit without the engine, and reports why", ({
      numbers,
      originate,
      pass,
      recorded,
      told
    }) =>
      Effect.gen(function* () {
        yield* originate("HD_1", numbers.answers, 30, { talk_limit_seconds: 3 })
        yield* told("HD_1", "session.created")
        const { occurred_at } = yield* told("HD_1", "leg.answered", 3_000)
        yield* pass(2_000)
        assert.notInclude(types(recorded.of("HD_1")), "leg.hangup")
        const { data, occurred_at: ended_at } = yield* told("HD_1", "leg.hangup", 2_000)
        assert.deepInclude(data, { source: "platform", reason: "talk_limit", sip_code: 200 })
        assert.closeTo(Date.parse(ended_at) - Date.parse(occurred_at), 3_000, 900)
        inOrder(recorded.of("HD_1"))
      }))

    test("applies the latest talk limit, even during speech", ({ answered, dispatch, pass, recorded, told }) =>
      Effect.gen(function* () {
        for (const id of ["HD_1", "HD_2"]) yield* answered(id)
        const answered_at = yield* Effect.map(told("HD_2", "leg.answered"), (event) => event.occurred_at)
        for (const id of ["HD_1", "HD_2"]) yield* dispatch(id, { kind: "limit", seconds: 4 })
        yield* dispatch("HD_2", {
          kind: "say",
          text: "And so on, and so on, and so on, and so on. ".repeat(8),
          loop: 1
        })
        yield* turn
        yield* pass(1_500)
        yield* dispatch("HD_2", { kind: "limit", seconds: 6, answered_at })
        yield* turn
        yield* pass(3_000)
        yield* told("HD_1", "leg.hangup", 500)
        assert.notInclude(types(recorded.of("HD_2")), "leg.hangup")
        const { data, occurred_at } = yield* told("HD_2", "leg.hangup", 3_000)
        assert.strictEqual(data.reason, "talk_limit")
        assert.closeTo(Date.parse(occurred_at) - Date.parse(answered_at), 6_000, 900)
      }))

    test("reports the state of a session, and that it has no such session", ({ answered, dispatch, told }) =>
      Effect.gen(function* () {
        yield* dispatch("HD_0", { kind: "snapshot" })
        const absent = yield* told("HD_0", "session.snapshot")
        assert.deepStrictEqual([absent.data.state, absent.seq], ["absent", 2_147_483_647])
        yield* answered("HD_1")
        yield* dispatch("HD_1", { kind: "snapshot" })
        assert.strictEqual((yield* told("HD_1", "session.snapshot")).data.state, "answered")
      }))

    if (whole)
      test("names its live sessions every 30 seconds", ({ answered, recorded, until }) =>
        Effect.gen(function* () {
          yield* answered("HD_1")
          const names = ({ data, type }: PbxEvent) =>
            type === "heartbeat" && data.live_sessions?.includes(toSessionId("HD_1")) === true
          yield* until("a heartbeat", () => recorded.events.some(names), 30_000)
        }))

    test("loses no event and no command when the line is cut in mid-call", (bench) =>
      Effect.gen(function* () {
        const { connect, disconnect, dispatch, keeps_unheard, numbers, originate, pass, recorded, told } = bench
        yield* originate("HD_1", numbers.answers)
        yield* originate("HD_2", numbers.answers)
        yield* told("HD_1", "session.created")
        yield* told("HD_2", "session.created")
        for (const id of ["HD_1", "HD_2"]) yield* told(id, "leg.ringing", 1000)
        yield* disconnect
        yield* pass(3000)
        yield* dispatch("HD_1", hangup)
        yield* pass(10_000)
        assert.notInclude(types(recorded.of("HD_1")), "leg.answered")
        yield* connect
        if (!keeps_unheard) {
          for (const id of ["HD_1", "HD_2"])
            assert.strictEqual((yield* told(id, "session.snapshot")).data.state, "absent")
          return
        }
        yield* told("HD_1", "leg.hangup")
        inOrder(recorded.of("HD_1"))
        assert.include(types(recorded.of("HD_1")), "leg.answered")
        yield* told("HD_2", "leg.answered")
      }))

    test("repeats events until they are stored", ({ numbers, originate, pass, recorded, told }) =>
      Effect.gen(function* () {
        recorded.fails = () => true
        yield* originate("HD_1", numbers.answers)
        yield* Effect.repeat(Effect.andThen(turn, pass(100)), { times: 50 })
        assert.deepStrictEqual(recorded.events, [])
        recorded.fails = () => false
        yield* told("HD_1", "leg.answered", 5000)
        inOrder(recorded.of("HD_1"))
      }))

    test("stops repeating what is stored", ({ answered, pass, recorded }) =>
      Effect.gen(function* () {
        yield* answered("HD_1")
        yield* Effect.repeat(Effect.andThen(turn, pass(1000)), { times: 10 })
        const again = [...recorded.told].filter(([, times]) => times > 1)
        assert.deepStrictEqual(again, [])
      }))
  })
}
