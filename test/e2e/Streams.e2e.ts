// Media streams over real SIP, with sound measured at both ends.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import type { CallRecord } from "../../src/domain/calls/state/CallRecord.ts"
import { toneFrame } from "../../src/layers/streams/Tone.ts"
import { acts } from "../support/Customer.ts"
import { amplitudeOf, streamApplication, type StreamConnection, toneMessage } from "../support/StreamApplication.ts"
import { untilHolds } from "../support/Until.ts"
import { isOver, layer as pbxWorld, nothingLeft, PbxWorld } from "./support/PbxWorld.ts"

/** Answers, and echoes what it hears. */
const talks = "200"
const hz = 1_000
const audible = 3_000

const beep = (frames: number) =>
  toneMessage(Array.from({ length: frames }, (_, nth) => toneFrame("mulaw-8000", hz, nth)))

/** When frames with the tone were received, from `since` on. */
const tones = ({ received }: StreamConnection, since: number) =>
  received.flatMap(({ at, media }) =>
    media !== undefined && at >= since && amplitudeOf(Buffer.from(media.payload, "base64"), hz) > audible ? [at] : []
  )

/** How long a beep takes to the phone and back, in milliseconds. */
const roundTrip = (connection: StreamConnection) =>
  Effect.gen(function* () {
    const sent_at = performance.now()
    connection.send(beep(3))
    yield* untilHolds("echo of a beep", () => tones(connection, sent_at).length > 0)
    const [heard_at = sent_at] = tones(connection, sent_at)
    yield* Effect.sleep("250 millis")
    return heard_at - sent_at
  })

const eventsOf = (id: string) =>
  Effect.flatMap(PbxWorld, ({ program }) =>
    Effect.map(program.ask(`/v1/calls/${id}/events`), ({ json }) =>
      json<ReadonlyArray<{ readonly kind: string; readonly payload: object }>>()
    )
  )

layer(pbxWorld, { excludeTestServices: true, timeout: "120 seconds" })("a media stream through Asterisk", (it) => {
  it.effect("carries sound both ways, falls silent after clear, and leaves nothing behind", () =>
    Effect.gen(function* () {
      const { callUntil, customer, farEnd, place, program } = yield* PbxWorld
      yield* farEnd.forget
      const application = yield* streamApplication()
      const stream = { url: application.url, name: "agent" }
      const id = yield* place(talks, customer.voice(acts({ stream })))
      yield* untilHolds("connection of the application", () => application.connections[0] !== undefined)
      const connection = application.connections[0]!
      assert.strictEqual(connection.headers["x-service-call-id"], id)
      yield* untilHolds("start of the stream", () => connection.received.some(({ event }) => event === "start"))
      connection.send(beep(100))
      connection.send({ event: "mark", mark: { name: "first" } })
      yield* untilHolds("mark", () => connection.received.some(({ mark }) => mark?.name === "first"))
      yield* Effect.sleep("300 millis")
      assert.isAbove(farEnd.loud(), 90)
      assert.isAbove(amplitudeOf(connection.heard().subarray(-8_000), hz), audible)
      assert.isBelow(amplitudeOf(connection.heard().subarray(-8_000), 440), 300)

      const trips: Array<number> = []
      for (let nth = 0; nth < 20; nth++) trips.push(yield* roundTrip(connection))
      trips.sort((a, b) => a - b)
      const p50 = trips[10]!
      console.log(`to the phone and back: p50 ${p50.toFixed(1)} ms, worst ${trips.at(-1)!.toFixed(1)} ms`)
      assert.isBelow(p50, 100)

      connection.send(beep(250))
      yield* Effect.sleep("500 millis")
      const left_ms = 250 * 20 - 500
      const cleared_at = performance.now()
      connection.send({ event: "clear" })
      yield* Effect.sleep("500 millis")
      const silent_ms = (tones(connection, 0).at(-1) ?? 0) - cleared_at
      console.log(`silence ${silent_ms.toFixed(1)} ms after clear, heard at the application`)
      assert.isBelow(silent_ms, left_ms / 10)

      connection.send({ event: "transcript", transcript: { role: "agent", text: "Goodbye." } })
      connection.send({ event: "hangup" })
      const call = yield* callUntil(id, isOver)
      assert.deepInclude(call, { status: "completed", hangup_source: "workspace" })
      const { json } = yield* program.ask(`/v1/calls/${id}?transcript=1`)
      const { transcript } = json<CallRecord & { readonly transcript: ReadonlyArray<{ readonly text: string }> }>()
      assert.deepStrictEqual(
        transcript.map(({ text }) => text),
        ["Goodbye."]
      )
      const kinds = (yield* eventsOf(id)).map(({ kind }) => kind)
      assert.includeMembers(kinds, ["call.stream_started", "call.stream_ended"])
      yield* nothingLeft
    })
  )

  it.effect("copies what the party hears and what it says while the script goes on", () =>
    Effect.gen(function* () {
      const { callUntil, customer, place } = yield* PbxWorld
      const application = yield* streamApplication()
      const say = { text: "The quick brown fox jumps over the lazy dog, and then it sleeps for a long time." }
      const stream = { url: application.url, mode: "fork" as const }
      const id = yield* place(talks, customer.voice(acts({ stream }, { pause: { seconds: 1 } }, { say })))
      const call = yield* callUntil(id, isOver)
      assert.deepInclude(call, { status: "completed", hangup_cause: "actions_ended" })
      const [connection] = application.connections
      for (const track of ["inbound", "outbound"]) {
        const audio = connection!.heard(track)
        assert.isAbove(audio.length, 16_000, track)
        const loud = audio.filter((byte) => (~byte & 0x70) >> 4 > 3).length
        assert.isAbove(loud / audio.length, 0.05, `${track} has speech`)
      }
      yield* untilHolds("end of the stream", () => connection!.received.at(-1)?.event === "stop")
      yield* nothingLeft
    })
  )

  it.effect("ends with its application's connection, and the call goes on with its next action", () =>
    Effect.gen(function* () {
      const { callUntil, customer, place } = yield* PbxWorld
      const application = yield* streamApplication(({ socket }) => setTimeout(() => socket.close(1000), 500))
      const stream = { url: application.url }
      const id = yield* place(talks, customer.voice(acts({ stream }, { say: { text: "Goodbye." } })))
      const call = yield* callUntil(id, isOver)
      assert.deepInclude(call, { status: "completed", hangup_cause: "actions_ended" })
      const ended = (yield* eventsOf(id)).find(({ kind }) => kind === "call.stream_ended")
      assert.deepInclude(ended?.payload as object, { result: "remote_closed" })
      yield* nothingLeft
    })
  )
})
