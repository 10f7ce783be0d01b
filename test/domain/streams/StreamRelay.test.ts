import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import type { WorkspaceAllowances } from "../../../src/domain/streams/StreamBudget.ts"
import type { RelayOptions } from "../../../src/domain/streams/StreamRelay.ts"
import { makeRelay, openRelay } from "../../support/MemoryRelay.ts"

/** A relay whose application and phone are lists. */
const makeWorld = (options: Partial<RelayOptions> = {}, shared?: WorkspaceAllowances) => {
  const sent: Array<{ readonly event: string; readonly mark?: { readonly name: string } }> = []
  const phone: Array<string | number> = []
  const told: Array<string> = []
  const state = { now: 0, unsent: 0 }
  const relay = openRelay(
    {
      now: () => state.now,
      send: (text) => void sent.push(JSON.parse(text)),
      unsent: () => state.unsent,
      read: (on) => void told.push(on ? "reads" : "pauses"),
      play: (frame) => void phone.push(frame.length),
      mark: (id) => void phone.push(id),
      flush: () => void phone.push("flush"),
      said: ({ final, role, text, turn }) => void told.push(`${role} ${turn}${final ? "." : "…"} ${text}`),
      hangup: () => void told.push("hangup"),
      actions: (document) => void told.push(document),
      end: (result, detail) => void told.push(`${result}: ${detail}`)
    },
    options,
    shared
  )
  told.length = 0
  const say = (bytes: number) =>
    relay.received(JSON.stringify({ event: "media", media: { payload: Buffer.alloc(bytes).toString("base64") } }))
  const mark = (name: string) => relay.received(JSON.stringify({ event: "mark", mark: { name } }))
  const pass = (ms: number) => {
    for (let passed = 0; passed < ms; passed += 20) {
      state.now += 20
      relay.tick()
    }
  }
  const events = () => sent.map(({ event }) => event)
  const marks = () => sent.flatMap(({ mark }) => mark?.name ?? [])
  return { relay, sent, phone, told, state, say, mark, pass, events, marks }
}

const frame = new Uint8Array(160)

describe("the relay of a stream", () => {
  it("greets the application, sends what the phone says, and says when it stops", () => {
    const { events, relay } = makeWorld()
    relay.heard("inbound", frame)
    relay.pressed("5")
    relay.stopped()
    relay.heard("inbound", frame)
    assert.deepStrictEqual(events(), ["connected", "start", "media", "dtmf", "stop"])
  })

  it("cuts what the application says into frames, and fills the last one before a mark", () => {
    const { mark, phone, say } = makeWorld()
    say(100)
    assert.deepStrictEqual(phone, [])
    say(100)
    mark("end")
    assert.deepStrictEqual(phone, [160, 160, "m1"])
  })

  it("gives the PBX one second ahead, and the rest when it is due", () => {
    const { pass, phone, say } = makeWorld()
    say(160 * 100)
    assert.lengthOf(phone, 50)
    pass(200)
    assert.lengthOf(phone, 60)
    pass(1_000)
    assert.lengthOf(phone, 100)
  })

  it("returns a mark when everything before it was heard", () => {
    const { mark, marks, relay, say } = makeWorld()
    say(160)
    mark("a name of the application, which is longer than those that a PBX takes")
    assert.deepStrictEqual(marks(), [])
    relay.marked("m1")
    relay.marked("m1")
    assert.lengthOf(marks(), 1)
  })

  it("keeps what the application says before the phone hears", () => {
    const phone: Array<Uint8Array> = []
    const relay = makeRelay({ now: () => 0, play: (frame) => void phone.push(frame) })
    relay.opened(false)
    relay.received(JSON.stringify({ event: "media", media: { payload: Buffer.alloc(320).toString("base64") } }))
    assert.lengthOf(phone, 0)
    relay.joined()
    assert.lengthOf(phone, 2)
  })

  it("drops everything at clear, and returns all marks", () => {
    const { mark, marks, pass, phone, relay, say } = makeWorld()
    say(160 * 200)
    mark("a")
    mark("b")
    phone.length = 0
    relay.received('{"event":"clear"}')
    assert.deepStrictEqual(phone, ["flush"])
    assert.deepStrictEqual(marks(), ["a", "b"])
    pass(5_000)
    assert.deepStrictEqual(phone, ["flush"])
    say(160)
    assert.deepStrictEqual(phone, ["flush", 160])
  })

  it("stops reading an application that is 30 s ahead, and loses nothing of it", () => {
    const { pass, phone, say, told } = makeWorld()
    for (let second = 0; second < 40; second++) say(160 * 50)
    assert.deepStrictEqual(told, ["pauses"])
    pass(16_000)
    assert.deepStrictEqual(told, ["pauses", "reads"])
    pass(30_000)
    assert.lengthOf(phone, 2_000)
  })

  it.each<[string, Partial<RelayOptions>, string | undefined]>([
    ["ends a duplex stream", {}, "too_slow: The application has not read 30 seconds of audio."],
    ["drops the oldest audio of a fork", { mode: "fork" }, undefined]
  ])("if the application does not read: %s", (_what, options, end) => {
    const { events, relay, sent, state, told } = makeWorld(options)
    state.unsent = 1 << 20
    for (let nth = 0; nth < 1_600; nth++) relay.heard("inbound", frame)
    assert.strictEqual(told[0], end)
    if (end !== undefined) return
    state.unsent = 0
    relay.tick()
    assert.lengthOf(events(), 1_502)
    assert.deepInclude((sent[2] as unknown as { readonly media: object }).media, { chunk: "101" })
  })

  it("keeps what the application should hear while it connects again", () => {
    const { events, relay } = makeWorld()
    relay.closed()
    relay.heard("inbound", frame)
    assert.deepStrictEqual(events(), ["connected", "start"])
    relay.opened(true)
    relay.tick()
    assert.deepStrictEqual(events(), ["connected", "start", "connected", "start", "media"])
  })

  it("passes on transcripts, and counts turns that have no number", () => {
    const { relay, told } = makeWorld()
    const said = (text: string, more: object = {}) =>
      relay.received(JSON.stringify({ event: "transcript", transcript: { role: "user", text, ...more } }))
    said("Hel", { final: false })
    said("Hello")
    said("Bye")
    said("No", { turn: 9 })
    said("Yes")
    assert.deepStrictEqual(told, ["user 1… Hel", "user 1. Hello", "user 2. Bye", "user 9. No", "user 10. Yes"])
  })

  it("passes on actions and hangup", () => {
    const { relay, told } = makeWorld()
    relay.received('{"event":"actions","actions":[]}')
    relay.received('{"event":"hangup"}')
    assert.deepStrictEqual(told, ['{"actions":[]}', "hangup"])
  })

  it("ends at actions that are not valid, and says where", () => {
    const { relay, told } = makeWorld()
    relay.received('{"event":"actions","actions":[{"sing":{}}]}')
    assert.deepStrictEqual(told, ["protocol_error: The actions are not valid at /actions/0/sing: Unknown action."])
  })

  it.each<[string, (world: ReturnType<typeof makeWorld>) => void]>([
    ["sends rubbish", ({ relay }) => relay.received("rubbish")],
    ["floods", ({ relay }) => Array.from({ length: 201 }, () => relay.received('{"event":"clear"}'))],
    ["sends endless audio of no length", ({ say }) => Array.from({ length: 5_001 }, () => say(0))],
    ["sets marks without end", ({ mark }) => Array.from({ length: 1_001 }, (_, nth) => mark(String(nth)))]
  ])("ends the stream of an application that %s, once", (_what, misbehave) => {
    const world = makeWorld()
    misbehave(world)
    world.relay.received("rubbish")
    world.relay.heard("inbound", frame)
    const ends = world.told.filter((text) => text.startsWith("protocol_error"))
    assert.lengthOf(ends, 1)
    assert.strictEqual(world.events().at(-1), "stop")
  })

  it("does not play what the application of a fork says", () => {
    const { phone, say } = makeWorld({ mode: "fork" })
    say(1_600)
    assert.deepStrictEqual(phone, [])
  })

  const Piece = Schema.Array(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 500 })))
  it.prop("plays every whole frame in order, however the audio is divided", [Piece], ([pieces]) => {
    const { pass, phone, say } = makeWorld()
    for (const bytes of pieces) say(bytes)
    pass(60_000)
    const bytes = pieces.reduce((sum, piece) => sum + piece, 0)
    assert.lengthOf(phone, Math.floor(bytes / 160))
    assert.isTrue(phone.every((length) => length === 160))
  })
})
