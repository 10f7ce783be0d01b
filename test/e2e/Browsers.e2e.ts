// Calls from and to a real browser, which registers with a token and sends and receives audio.
import { assert, layer } from "@effect/vitest"
import { Effect, Fiber, Layer } from "effect"
import { until, untilHolds } from "../support/Until.ts"
import { Browsers, type Sound, tokenFor } from "./support/BrowserPhone.ts"
import { lastBrowserCall } from "./support/ExpiringTokens.ts"
import { numberOf } from "./support/Pbx.ts"
import { allSettled, isOver, layer as pbxWorld, legsOf, nothingLeft, PbxWorld } from "./support/PbxWorld.ts"
import { calls, credential, newest, phone, routed } from "./support/Phones.ts"

const mary = "254771000001"
const world = Layer.provideMerge(Browsers.layer, pbxWorld)

/**
 * Waits for audio. The thresholds are low, because the microphone beeps only once a second, and the first beeps may be
 * lost while media is negotiated.
 */
const comesToHear = <E>(client: { readonly sound: Effect.Effect<Sound, E> }) =>
  until(
    "sound in both directions",
    client.sound,
    ({ energy, received, sent }) => energy > 0.000_05 && received > 40 && sent > 40
  )

/** Two registered clients with different extensions. */
const pair = (one: string, other: string) =>
  Effect.gen(function* () {
    const browsers = yield* Browsers
    const open = (extension: string) =>
      Effect.gen(function* () {
        yield* credential(extension)
        const opened = yield* browsers.open(yield* tokenFor(extension))
        yield* opened.hears("registered")
        return opened
      })
    return yield* Effect.all([open(one), open(other)])
  })

layer(world, { excludeTestServices: true, timeout: "120 seconds" })("a browser", (it) => {
  it.effect("registers with a token, is listed as registered, and unregisters when its page is closed", () =>
    Effect.gen(function* () {
      const browsers = yield* Browsers
      const { registrations } = yield* credential("2001")
      const [seen] = yield* Effect.scoped(
        Effect.gen(function* () {
          const client = yield* browsers.open(yield* tokenFor("2001", { ttl_seconds: 300 }))
          yield* client.hears("registered")
          return yield* registrations(1)
        })
      )
      assert.deepInclude(seen, { transport: "ws", user_agent: "PhonePage" })
      const lasts_ms = Date.parse(seen!.expires_at) - Date.now()
      assert.isAtMost(lasts_ms, 300_000)
      assert.isAbove(lasts_ms, 250_000)
      assert.lengthOf(yield* registrations(0), 0)
    })
  )

  it.effect("calls a number with audio in both directions, and only the leg to the number is charged", () =>
    Effect.gen(function* () {
      const { callUntil, farEnd } = yield* PbxWorld
      const browsers = yield* Browsers
      yield* credential("2002")
      yield* farEnd.forget
      const client = yield* browsers.open(yield* tokenFor("2002"))
      yield* client.hears("registered")
      yield* client.call(`sip:${numberOf("200")}@127.0.0.1`)
      yield* client.hears("confirmed")
      assert.strictEqual((yield* comesToHear(client)).codec, "audio/opus")
      yield* untilHolds("sound at the far end", () => farEnd.loud() > 5)
      yield* client.hangUp
      const call = yield* callUntil(yield* lastBrowserCall, isOver)
      assert.deepInclude(call, {
        kind: "webrtc",
        direction: "outbound",
        status: "completed",
        to: numberOf("200"),
        hangup_source: "caller",
        cost_minor: 0,
        metadata: { extension: "2002" }
      })
      const [leg] = yield* legsOf(call)
      assert.deepInclude(leg, { kind: "dial", status: "completed", cost_minor: 300 })
      yield* allSettled
    })
  )

  it.effect("is called by another browser, with audio in both directions until it hangs up", () =>
    Effect.gen(function* () {
      const { callUntil } = yield* PbxWorld
      const [caller, called] = yield* pair("2003", "2004")
      yield* caller.call("sip:2004@127.0.0.1")
      yield* called.hears("incoming")
      yield* called.answer
      yield* Effect.all([called.hears("confirmed"), caller.hears("confirmed")])
      yield* comesToHear(caller)
      yield* comesToHear(called)
      yield* called.hangUp
      yield* caller.hears("ended")
      assert.deepInclude(yield* callUntil(yield* lastBrowserCall, isOver), {
        status: "completed",
        to: "2004",
        cost_minor: 0
      })
      yield* nothingLeft
    })
  )

  it.effect("gets busy if the called browser declines as busy", () =>
    Effect.gen(function* () {
      const { callUntil } = yield* PbxWorld
      const [caller, called] = yield* pair("2005", "2006")
      yield* caller.call("sip:2006@127.0.0.1")
      yield* called.hears("incoming")
      yield* called.refuse(486)
      assert.deepInclude(yield* caller.hears("failed"), { code: 486, cause: "Busy" })
      const call = yield* callUntil(yield* lastBrowserCall, isOver)
      assert.deepInclude((yield* legsOf(call))[0], { status: "busy", sip_code: 486 })
      yield* nothingLeft
    })
  )

  it.effect(
    "rings together with the phones of its extension; the first to answer gets the call and the others stop ringing",
    () =>
      Effect.gen(function* () {
        const browsers = yield* Browsers
        const user = yield* credential("2007")
        yield* routed({ voice_url: null, forward_to: { type: "extension", value: "2007" } })
        const client = yield* browsers.open(yield* tokenFor("2007"))
        yield* Effect.scoped(
          Effect.gen(function* () {
            yield* phone(user, "rings")
            yield* user.registrations(2)
            const talking = yield* Effect.forkScoped(calls({ from: mary, talks_ms: 2_500 }))
            yield* client.hears("incoming")
            yield* client.answer
            yield* client.hears("confirmed")
            yield* comesToHear(client)
            assert.strictEqual(yield* Fiber.join(talking), 0)
            assert.deepInclude((yield* legsOf(yield* newest("inbound")))[0], { status: "completed", cost_minor: 0 })
            yield* allSettled
          })
        )
        yield* phone(user, "answers")
        yield* user.registrations(3)
        assert.strictEqual(yield* calls({ from: mary, talks_ms: 500 }), 0)
        const { cause, reason } = yield* client.hears("failed")
        assert.strictEqual(cause, "Canceled")
        assert.match(reason!, /cause=26|completed elsewhere/i)
        yield* allSettled
      })
  )

  it.effect("may do only what its token allows, and nothing with an invalid token", () =>
    Effect.gen(function* () {
      const browsers = yield* Browsers
      yield* credential("2008")
      const listener = yield* browsers.open(yield* tokenFor("2008", { allow: { outgoing: false } }))
      yield* listener.hears("registered")
      yield* listener.call(`sip:${numberOf("200")}@127.0.0.1`)
      assert.deepInclude(yield* listener.hears("failed"), { code: 403 })
      const speaker = yield* browsers.open(yield* tokenFor("2008", { allow: { incoming: false } }))
      assert.deepInclude(yield* speaker.hears("registrationFailed"), { code: 403 })
      const session = yield* tokenFor("2008")
      const stranger = yield* browsers.open({ ...session, token: `${session.token.slice(0, -8)}AAAAAAAA` })
      yield* stranger.hears("disconnected")
      assert.notInclude(
        (yield* stranger.heard).map(({ name }) => name),
        "connected"
      )
      yield* nothingLeft
    })
  )
})
