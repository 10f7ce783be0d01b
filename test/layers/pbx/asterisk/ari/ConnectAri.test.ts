// The two ways of connecting to Asterisk, tested over real sockets on loopback.
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { makeAri, waitsForChannel } from "../../../../../src/layers/pbx/asterisk/ari/ConnectAri.ts"
import { fakeAsterisk, type FakeAsteriskOptions } from "../../../../support/FakeAsterisk.ts"
import { freePort } from "../../../../support/Ports.ts"
import { until, untilHolds } from "../../../../support/Until.ts"

const username = "trunkline"
const password = "secret"
const app = "trunkline"

const ended = (id: string) => ({
  type: "ChannelDestroyed",
  timestamp: "2026-11-20T12:00:00.000+0000",
  cause: 16,
  channel: { id, state: "Up" }
})

/** Waits until messages in flight have arrived. The test clock does not advance. */
const arrives = (what: string, holds: () => boolean) => untilHolds(what, holds, { every_ms: 0 })

const makeWorld = Effect.fnUntraced(function* (
  answer: FakeAsteriskOptions["answer"] = () => ({ status: 200, body: { n: 1 } })
) {
  const asterisk = yield* fakeAsterisk({ answer })
  const listen = `ws://127.0.0.1:${yield* freePort}/pbx/ari`
  const options = { url: asterisk.url, username, password: Redacted.make(password), app }
  return { asterisk, listen, options, dial: asterisk.dial(listen, username, password) }
})

/** Follows it, and keeps what happens in order. */
const follows = Effect.fnUntraced(function* (ari: Effect.Success<ReturnType<typeof makeAri>>) {
  const seen: Array<string> = []
  const fiber = yield* Effect.forkScoped(
    ari.follow(
      (takenIn) =>
        Effect.gen(function* () {
          seen.push("connected")
          yield* ari.request("GET", "/channels")
          yield* takenIn
          seen.push("ready")
        }),
      (event) => Effect.sync(() => event.type === "ChannelDestroyed" && seen.push(event.channel.id))
    )
  )
  return { seen, fiber }
})

describe("an Asterisk that connects to the engine", () => {
  it.effect("is accepted only with the right username and password", () =>
    Effect.gen(function* () {
      const { asterisk, dial, listen, options } = yield* makeWorld()
      yield* makeAri({ ...options, listen })
      for (const [name, secret] of [
        [username, "wrong"],
        ["somebody", password],
        ["", ""]
      ] as const) {
        assert.strictEqual((yield* asterisk.dial(listen, name, secret)).status, 401)
      }
      assert.strictEqual((yield* dial).status, 101)
      assert.strictEqual((yield* asterisk.dial(listen.replace("/pbx/ari", "/"), username, password)).status, 400)
    })
  )

  it.effect("delivers its events in order from the first one, and gets requests over the same socket", () =>
    Effect.gen(function* () {
      const { asterisk, dial, listen, options } = yield* makeWorld((method, path) => {
        if (path === "channels") asterisk.tell(ended("told before the answer"))
        return { status: 200, body: { method } }
      })
      const ari = yield* makeAri({ ...options, listen })
      const { socket } = yield* dial
      for (const id of ["a", "b", "c"]) socket.send(JSON.stringify(ended(id)))
      const { seen } = yield* follows(ari)
      yield* arrives("connection", () => seen.includes("ready"))
      asterisk.tell(ended("d"))
      yield* arrives("event d", () => seen.includes("d"))
      assert.deepStrictEqual(
        seen.filter((each) => each !== "connected"),
        ["a", "b", "c", "told before the answer", "ready", "d"]
      )
      assert.deepStrictEqual(yield* ari.request("POST", "/channels/x/play", { media: "sound:a b" }, { more: true }), {
        status: 200,
        body: { method: "POST" }
      })
      assert.deepStrictEqual(asterisk.asked, ["socket GET channels", "socket POST channels/x/play?media=sound%3Aa+b"])
    }).pipe(Effect.scoped)
  )

  it.effect("gets requests that wait for a channel over HTTP, and all requests while it is disconnected", () =>
    Effect.gen(function* () {
      const { asterisk, dial, listen, options } = yield* makeWorld()
      const ari = yield* makeAri({ ...options, listen })
      yield* ari.request("DELETE", "/channels/x")
      yield* dial
      yield* ari.request("POST", "/channels/x/answer")
      yield* ari.request("POST", "/channels/x/mute")
      assert.deepStrictEqual(asterisk.asked, [
        "http DELETE /channels/x",
        "http POST /channels/x/answer",
        "socket POST channels/x/mute"
      ])
    })
  )

  it.live("may connect again: the new connection replaces the old one, whose open requests fail", () =>
    Effect.gen(function* () {
      const { asterisk, dial, listen, options } = yield* makeWorld((_, path) =>
        path === "never" ? undefined : { status: 200, body: [] }
      )
      const ari = yield* makeAri({ ...options, listen })
      const { socket } = yield* dial
      const { seen } = yield* follows(ari)
      yield* arrives("connection", () => seen.includes("ready"))
      const unanswered = yield* Effect.forkScoped(Effect.flip(ari.request("GET", "/never")))
      yield* arrives("request for the socket", () => asterisk.asked.includes("socket GET never"))
      const closed = Effect.callback<void>((resume) => void socket.once("close", () => resume(Effect.void)))
      const again = yield* dial
      yield* closed
      assert.strictEqual((yield* Fiber.join(unanswered))._tag, "AriAway")
      yield* arrives("second connection", () => seen.filter((each) => each === "ready").length === 2)
      again.socket.send(JSON.stringify(ended("e")))
      yield* arrives("event e", () => seen.includes("e"))
    }).pipe(Effect.scoped)
  )

  it.live("gets no request before it reads: it ignores data that arrives together with the handshake response", () =>
    Effect.gen(function* () {
      const { asterisk, listen, options } = yield* makeWorld()
      const { seen } = yield* follows(yield* makeAri({ ...options, listen }))
      yield* asterisk.dial(listen, username, password, 3)
      yield* arrives("connection", () => seen.includes("ready"))
      assert.deepStrictEqual(
        asterisk.asked.filter((each) => !each.startsWith("http")),
        ["socket GET channels"]
      )
    }).pipe(Effect.scoped)
  )

  it.effect("has 5 s to answer each request", () =>
    Effect.gen(function* () {
      const { asterisk, dial, listen, options } = yield* makeWorld(() => undefined)
      const ari = yield* makeAri({ ...options, listen })
      yield* dial
      const asking = yield* Effect.forkScoped(Effect.flip(ari.request("GET", "/channels", { x: "secret" })))
      yield* arrives("first request", () => asterisk.asked.length === 1)
      yield* TestClock.adjust("5 seconds")
      assert.strictEqual((yield* Fiber.join(asking)).cause, "no response to GET /channels within 5 seconds")
    }).pipe(Effect.scoped)
  )

  it.effect("is not used while it is starting", () =>
    Effect.gen(function* () {
      const { dial, listen, options } = yield* makeWorld(() => ({ status: 503 }))
      const ari = yield* makeAri({ ...options, listen })
      assert.strictEqual((yield* Effect.flip(ari.request("GET", "/channels"))).cause, "Asterisk is starting")
      yield* dial
      assert.strictEqual((yield* Effect.flip(ari.request("GET", "/channels"))).cause, "Asterisk is starting")
    })
  )

  it.live("is not believed when it answers 404 before ARI is loaded", () =>
    Effect.gen(function* () {
      let asked = 0
      const { asterisk, listen, options } = yield* makeWorld(() => {
        asked++
        return { status: 404, page: "<html><head><title>404 Not Found</title></head></html>" }
      })
      const ari = yield* makeAri({ ...options, listen })
      assert.strictEqual((yield* Effect.flip(ari.request("POST", "/channels/x/play"))).cause, "Asterisk is starting")
      yield* follows(ari)
      yield* arrives("third request", () => asked > 2)
      assert.strictEqual(asterisk.connected(), 0)
    }).pipe(Effect.scoped)
  )

  it.effect("fails if the port is in use", () =>
    Effect.gen(function* () {
      const { listen, options } = yield* makeWorld()
      yield* makeAri({ ...options, listen })
      const error = yield* Effect.flip(makeAri({ ...options, listen }))
      assert.match(error.message, /^ARI_LISTEN: the engine cannot listen on ws:.*EADDRINUSE/)
    })
  )
})

describe("an Asterisk that does not connect", () => {
  it.live("is connected to by the engine, once it reports that the application is unknown", () =>
    Effect.gen(function* () {
      const { asterisk, dial, listen, options } = yield* makeWorld((_, path) =>
        path === "/applications/trunkline" ? { status: 404 } : { status: 200, body: [] }
      )
      const ari = yield* makeAri({ ...options, listen })
      const { seen } = yield* follows(ari)
      yield* arrives("connection", () => seen.includes("ready"))
      assert.strictEqual(asterisk.connected(), 1)
      asterisk.tell(ended("a"))
      yield* arrives("event a", () => seen.includes("a"))
      // By now Asterisk is configured to connect to the engine.
      yield* dial
      yield* arrives("end of the connection", () => asterisk.connected() === 0)
      asterisk.tell(ended("b"))
      yield* arrives("event b", () => seen.includes("b"))
    }).pipe(Effect.scoped)
  )

  it.live("keeps its application if it is configured to connect", () =>
    Effect.gen(function* () {
      const { asterisk, listen, options } = yield* makeWorld()
      const { seen } = yield* follows(yield* makeAri({ ...options, listen }))
      yield* arrives("second request", () => asterisk.asked.length === 2)
      assert.deepStrictEqual([seen, asterisk.connected()], [[], 0])
    }).pipe(Effect.scoped)
  )

  it.live("is connected to at once without ARI_LISTEN, and again after another client took the application", () =>
    Effect.gen(function* () {
      const { asterisk, options } = yield* makeWorld()
      const { seen } = yield* follows(yield* makeAri(options))
      yield* arrives("connection", () => seen.includes("ready"))
      asterisk.tell({ type: "ApplicationReplaced", application: app })
      yield* arrives("second connection", () => seen.filter((each) => each === "ready").length === 2)
      assert.isFalse(asterisk.asked.some((each) => each.startsWith("socket")))
    }).pipe(Effect.scoped)
  )
})

describe("an Asterisk that drops the engine's application", () => {
  /** Advances the clock until the engine has noticed. The answers of Asterisk take real time. */
  const passTimeUntil = (holds: () => boolean) =>
    until("reaction of the engine", Effect.map(TestClock.adjust("100 millis"), holds), (it) => it, { every_ms: 2 })
  const readyTwice = (seen: ReadonlyArray<string>) => () => seen.filter((each) => each === "ready").length === 2

  for (const state of ["missing", "inactive"] as const) {
    it.effect(`is connected to again where the application is ${state}`, () =>
      Effect.gen(function* () {
        const { asterisk, options } = yield* makeWorld()
        const { seen } = yield* follows(yield* makeAri(options))
        yield* arrives("connection", () => seen.includes("ready"))
        asterisk.applications.state = state
        yield* passTimeUntil(readyTwice(seen))
        asterisk.applications.state = "delivers"
        yield* arrives("connection of the engine alone", () => asterisk.connected() === 1)
      }).pipe(Effect.scoped)
    )
  }

  it.effect("stays connected while the application delivers", () =>
    Effect.gen(function* () {
      const { asterisk, options } = yield* makeWorld()
      const { seen } = yield* follows(yield* makeAri(options))
      yield* arrives("connection", () => seen.includes("ready"))
      const passed = { ms: 0 }
      yield* passTimeUntil(() => (passed.ms += 100) > 30_000)
      assert.deepStrictEqual([seen, asterisk.connected()], [["connected", "ready"], 1])
    }).pipe(Effect.scoped)
  )

  it.effect("is connected to by the engine where its own connection has lost the application", () =>
    Effect.gen(function* () {
      const { asterisk, dial, listen, options } = yield* makeWorld()
      const { seen } = yield* follows(yield* makeAri({ ...options, listen }))
      yield* dial
      yield* arrives("connection", () => seen.includes("ready"))
      asterisk.applications.state = "missing"
      yield* passTimeUntil(() => asterisk.connected() === 1)
      asterisk.applications.state = "delivers"
      yield* arrives("second connection", readyTwice(seen))
      // Asterisk has restarted, so that its connection has the application again.
      yield* dial
      yield* passTimeUntil(() => asterisk.connected() === 0)
    }).pipe(Effect.scoped)
  )

  it.live("is connected to only after it has closed the previous connection", () =>
    Effect.gen(function* () {
      const { asterisk, options } = yield* makeWorld()
      const { seen } = yield* follows(yield* makeAri(options))
      yield* arrives("connection", () => seen.includes("ready"))
      asterisk.tell({ type: "ApplicationReplaced", application: app })
      yield* arrives("second connection", readyTwice(seen))
      assert.deepStrictEqual(asterisk.closings, ["by a close frame"])
    }).pipe(Effect.scoped)
  )
})

describe("whether a request waits for a channel", () => {
  it.each([
    ["/channels/HD_a/answer", true],
    ["/channels/HD_a/variable", true],
    ["/bridges/b/addChannel", true],
    ["/bridges/b/removeChannel", true],
    ["/channels/HD_a/play", false],
    ["/channels/HD_a", false],
    ["/channels", false],
    ["/bridges/b", false],
    ["/channels/HD_a/snoop/s", false]
  ])("%s: %s", (path, waits) => {
    assert.strictEqual(waitsForChannel(path), waits)
  })
})
