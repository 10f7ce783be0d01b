import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { audioOf } from "../../../src/domain/streams/AudioFormat.ts"
import {
  makeMessagePrinter,
  parseApplicationMessage,
  type StreamIdentity
} from "../../../src/domain/streams/StreamMessage.ts"

const identity: StreamIdentity = {
  stream_id: "ST_1",
  call_id: "call",
  account_id: "workspace",
  name: "agent",
  format: "mulaw-8000",
  tracks: ["inbound"],
  parameters: { order: "7" }
}
const parse = (message: unknown) => parseApplicationMessage(JSON.stringify(message), "ST_1")

describe("a message of an application", () => {
  it.each<[string, unknown, object]>([
    ["audio", { event: "media", media: { payload: "AQI=" } }, { event: "media", payload: Buffer.from([1, 2]) }],
    ["audio without padding", { event: "media", media: { payload: "AQI" } }, { event: "media" }],
    ["a mark", { event: "mark", streamSid: "ST_1", mark: { name: "end" } }, { event: "mark", name: "end" }],
    ["clear", { event: "clear", streamSid: "ST_1" }, { event: "clear" }],
    ["hangup", { event: "hangup" }, { event: "hangup" }],
    [
      "a turn of the transcript",
      { event: "transcript", transcript: { role: "agent", text: "Hello", final: true, turn: 2 } },
      { event: "transcript", role: "agent", text: "Hello", final: true, turn: 2 }
    ],
    [
      "actions",
      { event: "actions", actions: [{ hangup: {} }] },
      { event: "actions", document: '{"actions":[{"hangup":{}}]}' }
    ],
    ["an event of a newer protocol", { event: "sing" }, { event: "unknown" }]
  ])("is read: %s", (_what, message, expected) => assert.deepInclude(parse(message), expected))

  it.each<[string, string]>([
    ["no JSON", "media"],
    ["a list", "[]"],
    ["no event", "{}"],
    ["an event that is a number", '{"event":1}'],
    ["another stream's", '{"event":"clear","streamSid":"ST_2"}'],
    ["audio without payload", '{"event":"media","media":{}}'],
    ["audio that is null", '{"event":"media","media":null}'],
    ["audio that is no base64", '{"event":"media","media":{"payload":"*"}}'],
    ["a mark without a name", '{"event":"mark"}'],
    ["a mark with too long a name", JSON.stringify({ event: "mark", mark: { name: "x".repeat(257) } })],
    ["a transcript of nobody", '{"event":"transcript","transcript":{"text":"a"}}'],
    ["a transcript of NUL", '{"event":"transcript","transcript":{"role":"user","text":"\\u0000"}}'],
    ["half a surrogate pair", '{"event":"transcript","transcript":{"role":"user","text":"\\ud800"}}'],
    ["turn 0", '{"event":"transcript","transcript":{"role":"user","text":"a","turn":0}}'],
    ["actions that are no list", '{"event":"actions","actions":{}}'],
    ["too many actions", JSON.stringify({ event: "actions", actions: ["x".repeat(70_000)] })]
  ])("is a fault: %s", (_what, text) => assert.property(parseApplicationMessage(text, "ST_1"), "fault"))

  it.prop("never throws, whatever the text", [Schema.String], ([text]) => {
    assert.isObject(parseApplicationMessage(text, "ST_1"))
  })

  it.prop("never throws, whatever the JSON", [Schema.Json], ([json]) => {
    for (const event of ["media", "mark", "transcript", "actions", "clear"])
      assert.isObject(parse({ event, media: json, mark: json, transcript: json, actions: json }))
  })
})

describe("the messages to an application", () => {
  it("are those of Twilio Media Streams, numbered from 1", () => {
    const print = makeMessagePrinter(identity)
    const printed = [
      print.connected(),
      print.start(false),
      print.media("inbound", 1, 0, new Uint8Array([255, 255])),
      print.dtmf("5"),
      print.mark("end"),
      print.stop()
    ].map((text) => JSON.parse(text) as object)
    const streamSid = "ST_1"
    assert.deepStrictEqual(printed, [
      { event: "connected", protocol: "Call", version: "1.0.0" },
      {
        event: "start",
        sequenceNumber: "1",
        start: {
          streamSid,
          accountSid: "workspace",
          callSid: "call",
          tracks: ["inbound"],
          mediaFormat: { encoding: "audio/x-mulaw", sampleRate: 8000, channels: 1 },
          customParameters: { order: "7" },
          name: "agent"
        },
        streamSid
      },
      {
        event: "media",
        sequenceNumber: "2",
        media: { track: "inbound", chunk: "1", timestamp: "0", payload: "//8=" },
        streamSid
      },
      { event: "dtmf", sequenceNumber: "3", dtmf: { track: "inbound_track", digit: "5" }, streamSid },
      { event: "mark", sequenceNumber: "4", mark: { name: "end" }, streamSid },
      { event: "stop", sequenceNumber: "5", stop: { accountSid: "workspace", callSid: "call" }, streamSid }
    ])
  })

  it("say that a stream is the same as before", () => {
    assert.deepInclude(JSON.parse(makeMessagePrinter(identity).start(true)).start, { resumed: true })
  })

  it.prop("carry any audio, and an application that sends it back is understood", [Schema.Uint8Array], ([payload]) => {
    const text = makeMessagePrinter(identity).media("inbound", 1, 0, payload)
    const back = parseApplicationMessage(text, "ST_1")
    assert.deepStrictEqual(back, { event: "media", payload: Buffer.from(payload) })
  })

  it("describe each format by its frames of 20 ms", () => {
    for (const { described, frame_bytes } of Object.values(audioOf))
      assert.strictEqual(frame_bytes % (described.sampleRate / 50), 0)
  })
})
