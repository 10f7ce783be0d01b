// The browser client when something goes wrong: tokens that end, networks that break, browsers that refuse.
import { assert, layer } from "@effect/vitest"
import { Effect, Fiber, Layer } from "effect"
import { until } from "../support/Until.ts"
import { tokenFor } from "./support/BrowserPhone.ts"
import { numberOf } from "./support/Pbx.ts"
import { allSettled, layer as pbxWorld, nothingLeft } from "./support/PbxWorld.ts"
import { calls, newest, routed } from "./support/Phones.ts"
import { givesUp, relayed } from "./support/SdkRetries.ts"
import { comesToHear, ends, extensionFor, otherBrowser, registered, SdkBrowser, talksTo } from "./support/SdkBrowser.ts"

/** A host of the test's network that nobody answers for. */
const nobody = "10.99.0.2"

const world = Layer.provideMerge(SdkBrowser.layer, pbxWorld)

layer(world, { excludeTestServices: true, timeout: "120 seconds" })("the browser client in trouble", (it) => {
  it.effect("tries a refused registration and a lost connection five times, and closes", () =>
    // real-waits/SdkRetries.e2e.ts waits as long as the client does.
    givesUp(10)
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
      yield* until("sound that plays", phone.run("globalThis.played"), (played) => played === true)
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
      assert.isBelow(took_ms, 8_000)
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
})
