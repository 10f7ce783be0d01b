// The browser client when something goes wrong: tokens that end, networks that break, browsers that refuse.
import { assert, layer } from "@effect/vitest"
import { Effect, Fiber, Layer } from "effect"
import { makeRelay } from "../support/Relay.ts"
import { tokenFor } from "./support/BrowserPhone.ts"
import { numberOf } from "./support/Pbx.ts"
import { allSettled, isOver, layer as pbxWorld, nothingLeft, PbxWorld } from "./support/PbxWorld.ts"
import { calls, newest, routed } from "./support/Phones.ts"
import {
  client,
  comesToHear,
  ends,
  extensionFor,
  leavesNothing,
  otherBrowser,
  registered,
  SdkBrowser,
  talksTo,
  type Told
} from "./support/SdkBrowser.ts"

const backOff_ms = [1_000, 2_000, 4_000, 8_000, 16_000]
/** A host of the test's network that nobody answers for. */
const nobody = "10.99.0.2"

const world = Layer.provideMerge(SdkBrowser.layer, pbxWorld)

/** A registered client behind a relay that can be cut. */
const relayed = (extension: string) =>
  Effect.gen(function* () {
    const { program } = yield* PbxWorld
    const { open } = yield* SdkBrowser
    yield* extensionFor(extension)
    const relay = yield* makeRelay(Number(new URL(program.base_url).port))
    const { token } = yield* tokenFor(extension)
    const phone = yield* open({ token, endpoint: `ws://127.0.0.1:${relay.port}/v1/webrtc/sip` })
    yield* phone.hears("registered")
    return { phone, relay }
  })

/** The retries of these events, and what came after: five with growing waits, which were kept, and then the end. */
const fiveRetries = (told: ReadonlyArray<Told>, name: Told["name"]) => {
  const retries = told.filter((each) => each.name === name && each.attempt !== 0)
  assert.deepStrictEqual(
    retries.map(({ attempt, retry_in_ms }) => [attempt, retry_in_ms]),
    backOff_ms.map((ms, index) => [index + 1, ms])
  )
  const end = told.at(-1)!
  assert.deepInclude(end, { name: "closed", reason: "retries" })
  // Chromium itself delays connections to a host that has just refused some.
  const took_ms = end.at - retries[0]!.at
  assert.isAtLeast(took_ms, 31_000)
  assert.isBelow(took_ms, 45_000)
}

layer(world, { excludeTestServices: true, timeout: "120 seconds" })("the browser client in trouble", (it) => {
  it.effect(
    "tries a refused registration and a lost connection five times, and closes",
    () =>
      Effect.gen(function* () {
        const refused = Effect.gen(function* () {
          const { phone, user } = yield* registered("3021")
          // The gate answers 400 to a registration without a time.
          yield* phone.run(`globalThis.tamper = (text) => text.replace(/^Expires: .*$/m, "Expires: soon")`)
          yield* phone.run("client.reconnect()")
          assert.deepInclude(yield* phone.hears("registration_failed"), { code: 400 })
          assert.strictEqual(yield* phone.state, "connected")
          yield* phone.hears("closed", "50 seconds")
          fiveRetries(yield* phone.told, "registration_failed")
          assert.strictEqual(yield* phone.state, "closed")
          yield* leavesNothing(phone)
          yield* user.registrations(0)
        })
        const lost = Effect.gen(function* () {
          const { phone, relay } = yield* relayed("3022")
          yield* relay.cut
          yield* phone.hears("closed", "50 seconds")
          fiveRetries(yield* phone.told, "reconnecting")
          yield* phone.run("client.reconnect()")
          assert.strictEqual(yield* phone.state, "closed")
          yield* phone.run(`client.call("${numberOf("200")}")`)
          assert.deepInclude(yield* phone.hears("error"), { code: "closed" })
        })
        yield* Effect.all([refused, lost], { concurrency: 2 })
      }),
    90_000
  )

  it.effect("notices a dead line when the network changes, and waits for the network while there is none", () =>
    Effect.gen(function* () {
      const { phone, relay } = yield* relayed("3023")
      yield* phone.run(`dispatchEvent(new Event("online"))`)
      yield* Effect.sleep("3500 millis")
      assert.strictEqual(yield* phone.state, "registered")
      // Keep-alives arrive as something else, so that the gate does not answer.
      yield* phone.run(`globalThis.tamper = (text) => (text === "\\r\\n\\r\\n" ? "\\r\\n" : text)`)
      yield* phone.run(`dispatchEvent(new Event("online"))`)
      assert.deepInclude(yield* phone.hears("reconnecting"), { attempt: 1 })
      yield* phone.hears("registered")

      yield* phone.run(`dispatchEvent(new Event("offline"))`)
      yield* relay.cut
      assert.isAbove((yield* phone.hears("reconnecting")).retry_in_ms!, 600_000)
      yield* relay.mend
      yield* Effect.sleep("2 seconds")
      assert.strictEqual(yield* phone.state, "reconnecting")
      yield* phone.run(`dispatchEvent(new Event("online"))`)
      yield* phone.hears("registered")
    })
  )

  it.effect("says that the microphone is refused, and goes on ringing until the user decides", () =>
    Effect.gen(function* () {
      const { open } = yield* otherBrowser({
        without: ["--use-fake-ui-for-media-stream"],
        flags: ["--use-fake-ui-for-media-stream=deny"]
      })
      yield* extensionFor("3024")
      const phone = yield* open(yield* tokenFor("3024"))
      yield* phone.hears("registered")
      assert.isNull((yield* phone.run(`client.call("${numberOf("200")}").then((id) => id ?? null)`)) as null)
      const { code, message } = yield* phone.hears("error")
      assert.strictEqual(code, "microphone_denied")
      assert.match(message!, /Allow it/)
      assert.strictEqual(yield* phone.callState, "idle")
      yield* routed({ voice_url: null, forward_to: { type: "extension", value: "3024" } })
      const waiting = yield* Effect.forkScoped(calls({ from: "254771000001", refused_with: 486 }))
      yield* phone.hears("incoming")
      yield* phone.run("client.accept()")
      assert.deepInclude(yield* phone.hears("error"), { code: "microphone_denied" })
      assert.strictEqual(yield* phone.callState, "incoming")
      yield* phone.run("client.reject()")
      yield* ends(phone, "local", "call_rejected")
      yield* Fiber.join(waiting)
      yield* nothingLeft
    })
  )

  it.effect("says that there is no microphone", () =>
    Effect.gen(function* () {
      const { open } = yield* otherBrowser({ without: ["--use-fake-device-for-media-stream"] })
      yield* extensionFor("3025")
      const phone = yield* open(yield* tokenFor("3025"))
      yield* phone.hears("registered")
      yield* phone.run(`client.call("${numberOf("200")}")`)
      const { code, message } = yield* phone.hears("error")
      assert.strictEqual(code, "microphone_missing")
      assert.match(message!, /Connect one/)
    })
  )

  it.effect("says that the browser plays no sound yet, and plays it with the next click", () =>
    Effect.gen(function* () {
      const { phone } = yield* registered("3026")
      // Chromium lets a page that listens to a microphone play; other browsers do not.
      yield* phone.run(`{
        const play = HTMLMediaElement.prototype.play
        let refused = false
        HTMLMediaElement.prototype.play = function () {
          if (navigator.userActivation.hasBeenActive) { globalThis.played = true; return play.call(this) }
          return Promise.reject(new DOMException("no gesture yet", "NotAllowedError"))
        }
      }`)
      yield* phone.run(`client.call("${numberOf("200")}")`)
      assert.deepInclude(yield* phone.hears("error"), { code: "autoplay_blocked" })
      assert.isUndefined(yield* phone.run("globalThis.played"))
      yield* phone.click(20, 20)
      yield* Effect.sleep("200 millis")
      assert.isTrue(yield* phone.run("globalThis.played"))
      yield* phone.run("client.hangup()")
      yield* ends(phone, "local")
      yield* nothingLeft
    })
  )

  it.effect("does not wait for a TURN server that does not answer", () =>
    Effect.gen(function* () {
      const { open } = yield* SdkBrowser
      yield* extensionFor("3027")
      const { token } = yield* tokenFor("3027")
      const turnServer = [{ urls: [`turn:${nobody}:3478`], username: "u", credential: "c" }]
      const phone = yield* open({ token, turnServer })
      yield* phone.hears("registered")
      const began = (yield* phone.run("performance.now()")) as number
      yield* phone.run(`client.call("${numberOf("200")}")`)
      const took_ms = (yield* phone.hears("answered")).at - began
      assert.isAbove(took_ms, 1_900)
      assert.isBelow(took_ms, 5_000)
      yield* comesToHear(phone)
      yield* phone.run("client.hangup()")
      yield* ends(phone, "local")
      yield* nothingLeft
    })
  )

  it.effect("places no call if there is no network for the sound, and ends one whose path breaks", () =>
    Effect.gen(function* () {
      const { phone } = yield* registered("3028")
      yield* phone.run(`{
        const Peer = RTCPeerConnection
        globalThis.relayOnly = true
        globalThis.RTCPeerConnection = class extends Peer {
          constructor(options) {
            super({ ...options, ...(relayOnly && { iceTransportPolicy: "relay" }) })
            globalThis.peer = this
          }
        }
      }`)
      yield* phone.run(`client.call("${numberOf("200")}")`)
      const { code, message } = yield* phone.hears("error")
      assert.strictEqual(code, "ice_failed")
      assert.match(message!, /Try another network/)
      yield* ends(phone, "system", "pbx_error")
      assert.strictEqual((yield* phone.left).tracks, 0)

      yield* phone.run("relayOnly = false")
      yield* talksTo(phone, "200")
      yield* comesToHear(phone)
      // What the browser does half a minute after the path broke.
      yield* phone.run(`{
        Object.defineProperty(peer, "connectionState", { value: "failed" })
        peer.dispatchEvent(new Event("connectionstatechange"))
      }`)
      assert.deepInclude(yield* phone.hears("error"), { code: "ice_failed" })
      yield* ends(phone, "system", "media_timeout")
      yield* nothingLeft
    })
  )

  it.effect("hangs up when its page is left", () =>
    Effect.gen(function* () {
      const { phone } = yield* registered("3029")
      yield* talksTo(phone, "200")
      yield* phone.run(`void (location.href = "about:blank")`)
      assert.deepInclude(yield* newest("outbound"), { status: "completed", hangup_source: "caller" })
      yield* allSettled
    })
  )

  it.effect("takes no number, no keys and no call that make no sense", () =>
    Effect.gen(function* () {
      const { phone } = yield* registered("3030", { allow: { outgoing: false } })
      const says = (call: string, code: string) =>
        Effect.gen(function* () {
          yield* phone.run(call)
          assert.deepInclude(yield* phone.hears("error"), { code, error: true })
        })
      yield* says(`client.call("sip:1@example.com")`, "invalid_number")
      yield* says(`client.call("${numberOf("200")}")`, "not_allowed")
      yield* says(`client.dtmf("abc!")`, "invalid_digits")
      const told = (yield* phone.told).length
      yield* phone.run(
        "client.accept(); client.reject(); client.hangup(); client.mute(); client.unhold(); client.dtmf('1')"
      )
      yield* phone.run("Promise.all([client.hold(), client.getStats()])")
      assert.lengthOf(yield* phone.told, told)
      assert.strictEqual(yield* phone.run(`try { client.updateToken("x") } catch (error) { error.name }`), "TypeError")
      yield* extensionFor("3031")
      const stranger = yield* tokenFor("3031")
      assert.strictEqual(
        yield* phone.run(`try { client.updateToken("${stranger.token}") } catch (error) { error.name }`),
        "TypeError"
      )
    })
  )

  it.effect(
    "is warned before its token ends, goes on with a new one, and closes without one, after a call that goes on",
    () =>
      Effect.gen(function* () {
        const { until } = yield* PbxWorld
        yield* extensionFor("3060")
        const ends_at = Date.now() + 60_000
        const [idle, talker, renewed] = yield* Effect.all([
          client("3060", { ttl_seconds: 60 }),
          client("3060", { ttl_seconds: 60, allow: { incoming: false } }),
          client("3060", { ttl_seconds: 60 })
        ])
        const { expires_at } = yield* idle.hears("token_will_expire", "40 seconds")
        assert.closeTo(expires_at!, ends_at, 2_000)
        yield* renewed.hears("token_will_expire")
        yield* talksTo(renewed, "200")
        yield* renewed.run(`client.updateToken("${(yield* tokenFor("3060")).token}")`)
        assert.strictEqual(yield* renewed.callState, "active")

        yield* talksTo(talker, "200")
        assert.deepInclude(yield* idle.hears("closed", "40 seconds"), { reason: "token_ended" })
        assert.isAtLeast(Date.now(), ends_at - 2_000)
        yield* Effect.sleep("2 seconds")
        assert.strictEqual(yield* talker.callState, "active")
        yield* comesToHear(talker)
        yield* talker.run("client.hangup()")
        yield* ends(talker, "local")
        assert.deepInclude(yield* talker.hears("closed"), { reason: "token_ended" })

        // The call began with the old token, whose line lasts as long as it.
        yield* comesToHear(renewed)
        yield* renewed.run("client.hangup()")
        yield* ends(renewed, "local")
        yield* renewed.hears("registered")
        const { id } = yield* newest("outbound")
        assert.isTrue(isOver(yield* until(id, isOver)))
        yield* allSettled
      }),
    120_000
  )
})
