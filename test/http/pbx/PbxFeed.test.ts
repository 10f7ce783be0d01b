import { createServer } from "node:http"
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { assert, describe, it } from "@effect/vitest"
import { Context, Deferred, Effect, Layer, Redacted } from "effect"
import { HttpRouter, HttpServer } from "effect/http"
import { TestClock } from "effect/testing"
import { WebSocket } from "ws"
import { GatewayCommands } from "../../../src/domain/pbx/GatewayCommand.ts"
import { ActorSystem } from "../../../src/actors/runtime/ActorSystem.ts"
import type { DownFrame } from "../../../src/domain/pbx/Frame.ts"
import { ReadFailed } from "../../../src/domain/errors/ReadFailed.ts"
import { GatewayTenants } from "../../../src/domain/ports/pbx/GatewayTenants.ts"
import { RequestTimeout } from "../../../src/http/request/RequestDeadline.ts"
import { Draining } from "../../../src/http/request/Draining.ts"
import { frameMax } from "../../../src/http/pbx/PbxFeedFrames.ts"
import { PbxRoutes } from "../../../src/http/pbx/PbxRoutes.ts"
import { RateLimits } from "../../../src/http/request/RateLimits.ts"
import { MemoryJournal } from "../../../src/layers/journal/MemoryJournal.ts"
import * as SharedSecret from "../../../src/layers/pbx/SharedSecret.ts"
import { pbxGatewayContract } from "../../contract/PbxGateway.ts"
import { GatewayUnderTest } from "../../contract/GatewayUnderTest.ts"
import { actors, pbxEvent } from "../../support/PbxWorld.ts"
import { RecordingIngest } from "../../support/RecordingIngest.ts"
import { makeWebSocketGateway } from "../../support/WebSocketGateway.ts"
import { type GatewayId, toSessionId } from "../../../src/domain/BrandedIds.ts"
import { gatewayId } from "../../support/Ids.ts"

const secret = "s3cret"

class Door extends Context.Service<Door, { readonly url: string; readonly drain: Effect.Effect<void> }>()(
  "test/Door"
) {}

/** The feed on a free port, with a server that can be told to go away. */
const feed = Layer.effect(
  Door,
  Effect.gen(function* () {
    const { address } = yield* HttpServer.HttpServer
    const port = address._tag === "UnixPathAddress" ? 0 : address.port
    return { url: `ws://127.0.0.1:${port}/v1/pbx/feed`, drain: (yield* Draining).begin }
  })
).pipe(
  Layer.provide(HttpRouter.serve(PbxRoutes, { disableLogger: true, disableListenLog: true })),
  Layer.provide(
    NodeHttpServer.layer(createServer, {
      host: "127.0.0.1",
      port: 0,
      websocket: { maxPayload: frameMax },
      disablePreemptiveShutdown: true
    }).pipe(Layer.orDie)
  ),
  Layer.provide([
    Layer.succeed(RequestTimeout)({ timeout_ms: 15_000 }),
    RateLimits.off,
    Layer.succeed(GatewayTenants)({
      carried: (id) =>
        id === "broken" ? Effect.fail(new ReadFailed({ cause: "down" })) : Effect.succeed(id === "g1" ? 2 : 0),
      all: Effect.succeed([]),
      provisioned: () => Effect.succeed([]),
      chatAppNumbers: () => Effect.succeed([])
    }),
    SharedSecret.layer({
      secret: Redacted.make(secret),
      gateways: new Map([
        ["g9", Redacted.make("s3cret-of-g9")],
        ["sandbox", Redacted.make("s3cret-of-sandbox")]
      ]),
      signature_required: false
    }),
    Layer.effect(
      Draining,
      Effect.map(Deferred.make<void>(), (begun) => ({
        begin: Effect.asVoid(Deferred.succeed(begun, undefined)),
        announce: Effect.void,
        isAnnounced: () => false,
        hasBegun: () => false,
        wait: Deferred.await(begun),
        requestStarted: () => {},
        requestFinished: () => {},
        idle: Effect.void
      }))
    )
  ])
)

pbxGatewayContract(
  "a gateway over a WebSocket",
  Layer.effect(
    GatewayUnderTest,
    Effect.gen(function* () {
      const { url } = yield* Door
      const { connect, disconnect } = yield* makeWebSocketGateway({ url, secret, gateway_id: gatewayId("g1") })
      yield* Effect.orDie(connect)
      return {
        numbers: { answers: "+99900000001", busy: "+99900000002", silent: "+99900000003", presses: "+99900000010" },
        sound: "https://example.com/a.wav",
        streams: false,
        keeps_unheard: true,
        pass: (ms) => TestClock.adjust(ms),
        connect: Effect.orDie(connect),
        disconnect
      }
    })
  ).pipe(Layer.provide(feed))
)

interface Line {
  readonly say: (text: string | object) => void
  /** The next frame that is not a ping. */
  readonly hear: Effect.Effect<DownFrame>
  /** The code and the reason with which the engine closed. */
  readonly closed: Effect.Effect<string>
  readonly socket: WebSocket
}

const turn = Effect.promise(() => new Promise<void>((resolve) => setImmediate(resolve)))

const open = (url: string, key = secret): Effect.Effect<Line> =>
  Effect.gen(function* () {
    const socket = new WebSocket(url, { headers: { authorization: `Bearer ${key}` } })
    const frames: Array<DownFrame> = []
    let closed: string | undefined
    socket.on("message", (data) => frames.push(JSON.parse(String(data))))
    socket.on("close", (code, reason) => (closed = `${code} ${String(reason)}`))
    yield* Effect.callback<void>((resume) => void socket.on("open", () => resume(Effect.void)))
    const next = <A>(take: () => A | undefined): Effect.Effect<A> =>
      Effect.gen(function* () {
        for (;;) {
          const taken = take()
          if (taken !== undefined) return taken
          yield* turn
        }
      })
    return {
      socket,
      say: (frame) => socket.send(typeof frame === "string" ? frame : JSON.stringify(frame)),
      hear: next(() => {
        const index = frames.findIndex(({ type }) => type !== "ping")
        return index === -1 ? undefined : frames.splice(0, index + 1).at(-1)
      }),
      closed: next(() => closed)
    }
  })

const hello = { type: "hello", protocol: 1, gateway_id: "g1" }

const greeted = (url: string): Effect.Effect<Line> =>
  Effect.gen(function* () {
    const line = yield* open(url)
    line.say(hello)
    assert.deepStrictEqual(yield* line.hear, { type: "welcome", protocol: 1, tenants: 2 })
    return line
  })

const test = (
  name: string,
  body: (door: Door["Service"], recorded: RecordingIngest) => Effect.Effect<void, unknown, ActorSystem>
) =>
  it.effect(name, () =>
    Effect.gen(function* () {
      const recorded = new RecordingIngest()
      const engine = actors(yield* MemoryJournal.make)
      yield* Effect.flatMap(Door, (door) => body(door, recorded)).pipe(
        Effect.provide(feed),
        Effect.provide([engine, recorded.layer])
      )
    })
  )

describe("opening the feed", () => {
  test("accepts a gateway with its own secret only by that secret, and no other gateway by it", ({ url }) =>
    Effect.gen(function* () {
      const says = Effect.fnUntraced(function* (gateway_id: GatewayId, key: string) {
        const line = yield* open(url, key)
        line.say({ ...hello, gateway_id })
        return line
      })
      const refused = "4403 this secret is not that gateway's"
      assert.strictEqual(yield* (yield* says(gatewayId("g9"), secret)).closed, refused)
      assert.strictEqual(yield* (yield* says(gatewayId("g1"), "s3cret-of-g9")).closed, refused)
      assert.strictEqual((yield* (yield* says(gatewayId("g9"), "s3cret-of-g9")).hear).type, "welcome")
    }))

  test("says how many workspaces the gateway carries, and nothing of it if the database is down", ({ url }) =>
    Effect.gen(function* () {
      const welcomes: Array<DownFrame> = []
      for (const id of ["g1", "nobodys", "broken"]) {
        const line = yield* open(url)
        line.say({ ...hello, gateway_id: id })
        welcomes.push(yield* line.hear)
      }
      assert.deepStrictEqual(welcomes, [
        { type: "welcome", protocol: 1, tenants: 2 },
        { type: "welcome", protocol: 1, tenants: 0 },
        { type: "welcome", protocol: 1 }
      ])
    }))

  test("refuses a gateway that says it is the simulated network of the sandboxes", ({ url }) =>
    Effect.gen(function* () {
      for (const key of [secret, "s3cret-of-g9"]) {
        const line = yield* open(url, key)
        line.say({ ...hello, gateway_id: "sandbox" })
        assert.strictEqual(yield* line.closed, "4403 this secret is not that gateway's")
      }
      // A secret that was given to it by mistake opens nothing.
      const status = yield* Effect.callback<number | undefined>((resume) => {
        const socket = new WebSocket(url, { headers: { authorization: "Bearer s3cret-of-sandbox" } })
        socket.on("error", () => {})
        socket.on("unexpected-response", (_request, response) => resume(Effect.succeed(response.statusCode)))
        socket.on("open", () => resume(Effect.succeed(undefined)))
      })
      assert.strictEqual(status, 401)
    }))

  test("passes on the sessions that a gateway lists, and nothing if it lists none", ({ url }, recorded) =>
    Effect.gen(function* () {
      yield* greeted(url)
      const line = yield* open(url)
      line.say({ ...hello, live_sessions: ["HD_1", "HD_2"] })
      assert.strictEqual((yield* line.hear).type, "welcome")
      yield* turn
      assert.deepStrictEqual(recorded.returned, [["g1", "HD_1", "HD_2"]])
    }))

  test("opens only with the ingest secret", ({ url }) =>
    Effect.gen(function* () {
      const answers = yield* Effect.forEach(
        [undefined, "Bearer wrong", `Basic ${secret}`, "Bearer ", secret],
        (authorization) =>
          Effect.callback<number>((resume) => {
            const socket = new WebSocket(url, { headers: authorization === undefined ? {} : { authorization } })
            socket.on("unexpected-response", (_request, response) => resume(Effect.succeed(response.statusCode!)))
            socket.on("error", () => {})
          })
      )
      assert.deepStrictEqual(answers, [401, 401, 401, 401, 401])
    }))

  test("answers a plain HTTP request with an explanation", ({ url }) =>
    Effect.gen(function* () {
      const ask = (headers: Record<string, string>) =>
        Effect.promise(() =>
          fetch(url.replace("ws:", "http:"), { headers }).then(
            async (response) =>
              [response.status, ((await response.json()) as { error: { code: string } }).error.code] as const
          )
        )
      assert.deepStrictEqual(yield* ask({}), [401, "api_key.missing"])
      assert.deepStrictEqual(yield* ask({ authorization: `Bearer ${secret}` }), [400, "validation.bad_request"])
    }))

  test("closes if hello is late, missing, unknown or repeated", ({ url }) =>
    Effect.gen(function* () {
      const late = yield* open(url)
      yield* turn
      yield* TestClock.adjust("5 seconds")
      assert.strictEqual(yield* late.closed, "1008 no hello within 5 seconds")
      const missing = yield* open(url)
      missing.say({ type: "ack", command_ids: [] })
      assert.strictEqual(yield* missing.closed, "1002 the first frame must be hello")
      for (const wrong of [{ ...hello, protocol: 2 }, { ...hello, gateway_id: "no spaces" }, { type: "hello" }]) {
        const line = yield* open(url)
        line.say(wrong)
        assert.match(yield* line.closed, /^1007 frame not understood: /)
      }
      const twice = yield* greeted(url)
      twice.say(hello)
      assert.strictEqual(yield* twice.closed, "1002 hello was said before")
    }))

  test("closes on an invalid frame, with a reason", ({ url }) =>
    Effect.gen(function* () {
      const bad = [
        "",
        "nonsense",
        "null",
        "[]",
        "{}",
        `{"type":"dance"}`,
        `{"type":"ack","command_ids":[1]}`,
        "[".repeat(50_000)
      ]
      for (const text of bad) {
        const line = yield* greeted(url)
        line.say(text)
        const reason = yield* line.closed
        assert.match(reason, /^1007 frame not understood: ./)
        assert.isAtMost(reason.length, 125)
      }
    }))

  test("closes on a frame of more than 1 MiB", ({ url }) =>
    Effect.gen(function* () {
      const line = yield* greeted(url)
      line.say(JSON.stringify({ type: "ack", command_ids: ["x".repeat(1 << 20)] }))
      assert.match(yield* line.closed, /^1009/)
    }))
})

describe("the feed", () => {
  test("acknowledges stored events and refuses invalid ones, each separately", ({ url }, recorded) =>
    Effect.gen(function* () {
      const line = yield* greeted(url)
      const { event_id } = pbxEvent(1)
      line.say({
        type: "events",
        events: [pbxEvent(1), { ...pbxEvent(2), seq: 0 }, 7, { ...pbxEvent(3), from: "a\0b" }]
      })
      const heard = [yield* line.hear, yield* line.hear, yield* line.hear, yield* line.hear]
      const refusals = heard.flatMap((frame) => (frame.type === "refused" ? [frame] : []))
      assert.deepStrictEqual(
        refusals.map((frame) => frame.event_id),
        [pbxEvent(2).event_id, "", pbxEvent(3).event_id]
      )
      for (const { code } of refusals) assert.strictEqual(code, "pbx.payload_decode_failed")
      assert.include(refusals[0]!.message, "/seq")
      assert.deepStrictEqual(
        heard.find(({ type }) => type === "ack"),
        { type: "ack", event_ids: [event_id] }
      )
      assert.deepStrictEqual(recorded.events, [pbxEvent(1)])
    }))

  test("does not acknowledge what was not stored", ({ url }, recorded) =>
    Effect.gen(function* () {
      const line = yield* greeted(url)
      recorded.fails = ({ seq }) => seq === 1
      line.say({ type: "events", events: [pbxEvent(1), pbxEvent(2, { seq: 2 })] })
      assert.deepStrictEqual(yield* line.hear, { type: "ack", event_ids: [pbxEvent(2).event_id] })
      line.say({ type: "events", events: [pbxEvent(1)] })
      line.say({ type: "events", events: [pbxEvent(3, { seq: 3 })] })
      assert.deepStrictEqual(yield* line.hear, { type: "ack", event_ids: [pbxEvent(3).event_id] })
    }))

  test("gives the gateway to its newest connection", ({ url }) =>
    Effect.gen(function* () {
      const first = yield* greeted(url)
      const second = yield* greeted(url)
      assert.strictEqual(yield* first.closed, "4409 a newer connection of this gateway has taken over")
      const { ask } = yield* ActorSystem
      yield* ask(GatewayCommands.Dispatch, gatewayId("g1"), {
        command: { id: "c", session_id: toSessionId("HD_1"), tenant_pbx_id: "t1", seq: 1, action: { kind: "snapshot" } }
      })
      assert.strictEqual((yield* second.hear).type, "commands")
    }))

  test("disconnects a silent gateway, and keeps one that answers pings", ({ url }) =>
    Effect.gen(function* () {
      const alive = yield* greeted(url)
      const silent = yield* open(url)
      silent.say({ ...hello, gateway_id: "g2" })
      assert.strictEqual((yield* silent.hear).type, "welcome")
      alive.socket.on("message", (data) => {
        const frame: DownFrame = JSON.parse(String(data))
        if (frame.type === "ping") alive.say({ type: "pong", n: frame.n })
      })
      for (let second = 0; second < 50; second += 5) {
        yield* TestClock.adjust("5 seconds")
        yield* Effect.repeat(turn, { times: 10 })
      }
      assert.strictEqual(yield* silent.closed, "1008 no frame for 45 seconds")
      assert.strictEqual(alive.socket.readyState, WebSocket.OPEN)
    }))

  test("disconnects a gateway that does not read", ({ url }) =>
    Effect.gen(function* () {
      const line = yield* greeted(url)
      const { ask } = yield* ActorSystem
      const text = "x".repeat(3000)
      for (let n = 0; n < 2000; n++) {
        yield* ask(GatewayCommands.Dispatch, gatewayId("g1"), {
          command: {
            id: `c${n}`,
            session_id: toSessionId("HD_1"),
            tenant_pbx_id: "t1",
            seq: n,
            action: { kind: "say", text, loop: 1 }
          }
        })
        if (n % 100 === 0) yield* turn
      }
      assert.strictEqual(yield* line.closed, "1013 frames are not being read")
    }))

  test("closes with a reason when the server goes away", ({ drain, url }) =>
    Effect.gen(function* () {
      const line = yield* greeted(url)
      yield* drain
      assert.strictEqual(yield* line.closed, "1001 the engine is shutting down")
    }))
})
