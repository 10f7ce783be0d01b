import { assert, describe, it } from "@effect/vitest"
import { Effect, type Scope } from "effect"
import { once } from "node:events"
import { createServer } from "node:net"
import type { AddressInfo } from "node:net"
import { budgets } from "../../../src/domain/limits/Budgets.ts"
import { StreamHeaders } from "../../../src/domain/ports/calls/StreamHeaders.ts"
import type { MediaRelay, RelayedStream, RelayNotice } from "../../../src/layers/pbx/MediaRelay.ts"
import { makeRelayPool } from "../../../src/layers/streams/RelayPool.ts"
import { RelayStreams } from "../../../src/layers/streams/RelayStreams.ts"
import { toneFrame } from "../../../src/layers/streams/Tone.ts"
import { amplitudeOf, streamApplication, type StreamConnection, toneMessage } from "../../support/StreamApplication.ts"
import { untilHolds } from "../../support/Until.ts"

const development = { allow_insecure: true, allow_private: true }
const production = { allow_insecure: false, allow_private: false }
const stream: RelayedStream = {
  stream_id: "ST_1",
  call_id: "call",
  account_id: "workspace",
  name: "agent",
  url: "",
  headers: { "x-service-call-id": "call" },
  mode: "duplex",
  tracks: ["inbound"],
  format: "mulaw-8000",
  parameters: {},
  time_limit_seconds: 60,
  tenant_streams: 50,
  resumed: false
}

/** A relay in this thread, whose streams get a simulated phone. */
const inThread = (policy = development): MediaRelay => {
  const listeners = new Map<string, (notice: RelayNotice) => void>()
  const streams: RelayStreams = new RelayStreams({
    policy,
    report: ({ notice, stream_id }) =>
      notice.kind === "broken"
        ? streams.carryOut({ kind: "reconnect", stream_id, headers: stream.headers })
        : listeners.get(stream_id)?.(notice)
  })
  return {
    open: (opened, told) => {
      listeners.set(opened.stream_id, told)
      streams.carryOut({ kind: "open", stream: opened })
    },
    attach: (stream_id, source) => streams.carryOut({ kind: "attach", stream_id, source }),
    joined: (stream_id) => streams.carryOut({ kind: "joined", stream_id }),
    pressed: (stream_id, digit) => streams.carryOut({ kind: "pressed", stream_id, digit }),
    stop: (stream_id, result, detail) => streams.carryOut({ kind: "stop", stream_id, result, detail })
  }
}

/** Opens a stream, and gives it a phone once the application is connected. It is stopped when the scope closes. */
const opened = (
  relay: MediaRelay,
  fields: Partial<RelayedStream>
): Effect.Effect<ReadonlyArray<RelayNotice>, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const told: Array<RelayNotice> = []
      relay.open({ ...stream, ...fields }, (notice) => {
        told.push(notice)
        if (notice.kind !== "connected") return
        relay.attach(fields.stream_id ?? stream.stream_id, { kind: "phone" })
        relay.joined(fields.stream_id ?? stream.stream_id)
      })
      return told
    }),
    () => Effect.sync(() => relay.stop(fields.stream_id ?? stream.stream_id, "completed", null))
  )

const ending = (told: ReadonlyArray<RelayNotice>) =>
  told.find((notice): notice is Extract<RelayNotice, { readonly kind: "ended" }> => notice.kind === "ended")
const isStarted = (told: ReadonlyArray<RelayNotice>) => told.some(({ kind }) => kind === "started")

describe("a relayed stream", () => {
  it.live("brings the tone of the phone to the application, and back what the application says", () =>
    Effect.gen(function* () {
      const application = yield* streamApplication()
      const relay = yield* Effect.provide(makeRelayPool(development), StreamHeaders.none)
      const told = yield* opened(relay, { url: application.url })
      yield* untilHolds("started", () => isStarted(told))
      const [connection] = application.connections
      assert.deepInclude(connection!.headers, {
        "x-service-call-id": "call",
        "sec-websocket-protocol": "audio.trunkline.v1"
      })
      yield* untilHolds("a second of sound", () => connection!.heard().length >= 8_000)
      assert.isAbove(amplitudeOf(connection!.heard().subarray(0, 8_000), 440), 7_000)
      assert.isBelow(amplitudeOf(connection!.heard().subarray(0, 8_000), 1_000), 200)
      const since = performance.now()
      connection!.send(toneMessage(Array.from({ length: 50 }, (_, nth) => toneFrame("mulaw-8000", 1_000, nth))))
      connection!.send({ event: "mark", mark: { name: "heard" } })
      yield* untilHolds("the mark", () => connection!.received.some(({ mark }) => mark?.name === "heard"))
      yield* untilHolds("the echo", () => connection!.heard("inbound", since).length >= 9_600)
      assert.isAbove(amplitudeOf(connection!.heard("inbound", since), 1_000), 5_000)
      relay.pressed(stream.stream_id, "5")
      relay.stop(stream.stream_id, "completed", null)
      yield* untilHolds("the end", () => ending(told) !== undefined)
      yield* untilHolds("stop", () => connection!.received.at(-1)?.event === "stop")
      assert.isTrue(connection!.received.some(({ dtmf }) => dtmf?.digit === "5"))
    })
  )

  it.live("gives the application silence right after clear", () =>
    Effect.gen(function* () {
      const application = yield* streamApplication()
      const told = yield* opened(inThread(), { url: application.url })
      yield* untilHolds("started", () => isStarted(told))
      const [connection] = application.connections
      connection!.send(toneMessage(Array.from({ length: 500 }, (_, nth) => toneFrame("mulaw-8000", 1_000, nth))))
      connection!.send({ event: "mark", mark: { name: "never heard" } })
      yield* untilHolds("the phone's own tone is over", () => connection!.heard().length >= 16_000)
      connection!.send({ event: "clear" })
      yield* untilHolds("the mark", () => connection!.received.some(({ mark }) => mark !== undefined))
      const since = performance.now() + 100
      yield* untilHolds("more", () => connection!.heard("inbound", since).length >= 3_200)
      assert.isBelow(amplitudeOf(connection!.heard("inbound", since), 1_000), 100)
    })
  )

  it.live("connects a broken connection once more, as the same stream", () =>
    Effect.gen(function* () {
      const application = yield* streamApplication()
      const told = yield* opened(inThread(), { url: application.url })
      yield* untilHolds("started", () => isStarted(told))
      application.connections[0]!.socket.terminate()
      yield* untilHolds("the second connection", () => (application.connections[1]?.received.length ?? 0) > 2)
      const start = application.connections[1]!.received.find(({ event }) => event === "start")
      assert.deepInclude(start, { streamSid: stream.stream_id })
      assert.isTrue(start!.start!.resumed)
      application.connections[1]!.socket.terminate()
      yield* untilHolds("the end", () => ending(told) !== undefined)
      assert.deepInclude(ending(told), { result: "remote_closed" })
      assert.lengthOf(application.connections, 2)
    })
  )

  it.live("signs each connection anew, for a signature is soon too old", () =>
    Effect.gen(function* () {
      let signed = 0
      const asked: Array<object> = []
      const headers = StreamHeaders.of({
        of: (about) =>
          Effect.sync(() => {
            asked.push(about)
            return { "x-service-stream-signature": `t=${++signed}` }
          })
      })
      const application = yield* streamApplication()
      const relay = yield* Effect.provideService(makeRelayPool(development), StreamHeaders, headers)
      const told = yield* opened(relay, {
        url: application.url,
        headers: { "x-service-call-id": "call", "x-service-stream-signature": "t=0" }
      })
      yield* untilHolds("started", () => isStarted(told))
      application.connections[0]!.socket.terminate()
      yield* untilHolds("the second connection", () => application.connections.length === 2)
      assert.deepStrictEqual(
        application.connections.map(({ headers }) => headers["x-service-stream-signature"]),
        ["t=0", "t=1"]
      )
      assert.strictEqual(application.connections[1]!.headers["x-service-call-id"], "call")
      assert.lengthOf(asked, 1)
      assert.deepInclude(asked[0], {
        workspace_id: stream.account_id,
        call_id: stream.call_id,
        stream_id: stream.stream_id,
        url: application.url
      })
    })
  )

  const floods = (connection: StreamConnection) => {
    for (let nth = 0; nth < 1_000; nth++) connection.send({ event: "clear" })
  }
  const misbehaviours: ReadonlyArray<[string, string, (connection: StreamConnection) => void]> = [
    ["sends rubbish", "protocol_error", ({ socket }) => socket.send("rubbish")],
    ["sends a binary message", "protocol_error", ({ socket }) => socket.send(Buffer.alloc(160))],
    ["sends a message of 2 MiB", "protocol_error", ({ socket }) => socket.send("x".repeat(2 << 20))],
    [
      "sends what WebSocket does not allow",
      "protocol_error",
      ({ socket }) => rawSocket(socket).write(Buffer.alloc(64, 0xff))
    ],
    ["sends audio that is none", "protocol_error", ({ send }) => send({ event: "media", media: { payload: "*" } })],
    [
      "sends actions that are none",
      "protocol_error",
      ({ send }) => send({ event: "actions", actions: [{ sing: {} }] })
    ],
    ["floods", "protocol_error", floods],
    ["closes", "remote_closed", ({ socket }) => socket.close(1000)]
  ]
  const rawSocket = (socket: StreamConnection["socket"]) =>
    (
      socket as unknown as {
        readonly _socket: { readonly write: (bytes: Buffer) => void; readonly end: (bytes: Buffer) => void }
      }
    )._socket

  it.live.each(misbehaviours)("ends with a named result if its application %s: %s", ([, result, misbehave]) =>
    Effect.gen(function* () {
      const application = yield* streamApplication((connection) => setTimeout(() => misbehave(connection), 50))
      const told = yield* opened(inThread(), { url: application.url })
      yield* untilHolds("the end", () => ending(told) !== undefined)
      assert.strictEqual(ending(told)?.result, result)
      assert.lengthOf(
        told.filter(({ kind }) => kind === "ended"),
        1
      )
    })
  )

  const said = (told: ReadonlyArray<RelayNotice>) => told.filter(({ kind }) => kind === "said").length
  const turn = { event: "transcript", transcript: { role: "user", text: "x".repeat(8_000) } }
  const { burst, per_second } = budgets.workspace_stream_stored.limit

  it.live("is delayed with all others of its workspace if they flood, and those of another workspace are not", () =>
    Effect.gen(function* () {
      const flood = yield* streamApplication(({ send }) => {
        for (let nth = 0; nth < 150; nth++) send(turn)
      })
      const calm = yield* streamApplication(({ send }) =>
        send({ ...turn, transcript: { role: "user", text: "Hello" } })
      )
      const relay = yield* Effect.provide(makeRelayPool(development), StreamHeaders.none)
      const began = performance.now()
      const floods = yield* Effect.forEach(Array.from({ length: 24 }), (_, nth) =>
        opened(relay, { url: flood.url, stream_id: `ST_${nth}` })
      )
      const sent = () => floods.reduce((sum, told) => sum + said(told), 0)
      const { limit } = budgets.workspace_stream_text
      yield* untilHolds("the burst of the workspace", () => sent() * 8_000 > limit.burst)
      const other = yield* opened(relay, { url: calm.url, stream_id: "ST_other", account_id: "another" })
      yield* untilHolds("what the other workspace says", () => said(other) === 1)
      const seconds = (performance.now() - began) / 1_000 + 1
      assert.isAtMost(sent(), burst + seconds * per_second)
      assert.isAtMost(sent() * 8_000, limit.burst + seconds * limit.per_second + 24 * 8_000)
      assert.isUndefined(floods.map(ending).find((end) => end !== undefined))
    })
  )

  it.live("passes on all that its application sent before it closed the connection", () =>
    Effect.gen(function* () {
      const application = yield* streamApplication(({ send, socket }) => {
        for (let nth = 0; nth < 30; nth++) send({ ...turn, transcript: { role: "user", text: String(nth) } })
        socket.close(1000)
      })
      const told = yield* opened(inThread(), { url: application.url })
      yield* untilHolds("the end", () => ending(told) !== undefined)
      assert.strictEqual(said(told), 30)
      assert.strictEqual(ending(told)?.result, "remote_closed")
    })
  )

  it.live("ends if its application closes in the middle of a frame, twice", () =>
    Effect.gen(function* () {
      const cut = ({ socket }: StreamConnection) =>
        setTimeout(() => rawSocket(socket).end(Buffer.from([0x81, 0x7e, 0x40, 0x00, 0x7b])), 50)
      const application = yield* streamApplication(cut)
      const told = yield* opened(inThread(), { url: application.url })
      yield* untilHolds("the end", () => ending(told) !== undefined)
      assert.deepInclude(ending(told), { result: "remote_closed" })
    })
  )

  it.live("ends at its time limit", () =>
    Effect.gen(function* () {
      const application = yield* streamApplication()
      const told = yield* opened(inThread(), { url: application.url, time_limit_seconds: 1 })
      yield* untilHolds("the end", () => ending(told) !== undefined)
      assert.deepInclude(ending(told), { result: "time_limit" })
    })
  )

  it.live.each<[string, string, typeof development]>([
    ["a plain connection in production", "ws://127.0.0.1:9/", production],
    ["a private address", "wss://127.0.0.1:9/", production],
    ["a private address in another spelling", "wss://2130706433/", production],
    ["an IPv4 address within IPv6", "wss://[::ffff:169.254.169.254]/", development],
    ["a metadata service", "wss://169.254.169.254/", development],
    ["a name of this machine", "wss://localhost:9/", { allow_insecure: false, allow_private: false }],
    ["a password", "wss://user:password@example.com/", production],
    ["a port where nobody listens", "ws://127.0.0.1:9/", development]
  ])("is refused %s", ([, url, policy]) =>
    Effect.gen(function* () {
      const told = yield* opened(inThread(policy), { url })
      yield* untilHolds("the end", () => ending(told) !== undefined)
      assert.deepInclude(ending(told), { result: "connect_failed" })
      assert.lengthOf(told, 1)
    })
  )

  it.live("follows no redirect", () =>
    Effect.gen(function* () {
      let asked = 0
      const server = createServer((socket) => {
        asked++
        socket.once("data", () => socket.end("HTTP/1.1 302 Found\r\nLocation: ws://127.0.0.1:9/\r\n\r\n"))
      }).listen(0, "127.0.0.1")
      yield* Effect.addFinalizer(() => Effect.sync(() => server.close()))
      yield* Effect.promise(() => once(server, "listening"))
      const { port } = server.address() as AddressInfo
      const told = yield* opened(inThread(), { url: `ws://127.0.0.1:${port}/` })
      yield* untilHolds("the end", () => ending(told) !== undefined)
      assert.deepInclude(ending(told), { result: "connect_failed" })
      assert.strictEqual(asked, 1)
    })
  )

  it.live("is taken by an application that ignores the subprotocol", () =>
    Effect.gen(function* () {
      const application = yield* streamApplication(undefined, { handleProtocols: () => false })
      const told = yield* opened(inThread(), { url: application.url })
      yield* untilHolds("started", () => isStarted(told))
    })
  )
})
