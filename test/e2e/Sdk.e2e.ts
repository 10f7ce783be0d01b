// The browser client: every event and method, in Chromium with a fake microphone, through the gate to a real PBX.
import { assert, layer } from "@effect/vitest"
import { Effect, Fiber, Layer } from "effect"
import type { CallRecord } from "../../src/domain/calls/state/CallRecord.ts"
import { writeWebBundle } from "../../scripts/bundles/WebBundle.ts"
import { runExample } from "../support/Example.ts"
import { freePort } from "../support/Ports.ts"
import { makeRelay } from "../support/Relay.ts"
import { until, untilHolds } from "../support/Until.ts"
import { tokenFor } from "./support/BrowserPhone.ts"
import { carrierNumbers } from "./support/CarrierScenario.ts"
import { numberOf } from "./support/Pbx.ts"
import { allSettled, layer as pbxWorld, nothingLeft, PbxWorld } from "./support/PbxWorld.ts"
import { calls, newest, routed } from "./support/Phones.ts"
import {
  client,
  comesToHear,
  ends,
  extensionFor,
  leavesNothing,
  registered,
  SdkBrowser,
  talksTo
} from "./support/SdkBrowser.ts"

const mary = "254771000001"

const lastCall = Effect.gen(function* () {
  const { program } = yield* PbxWorld
  const { json } = yield* program.ask("/v1/calls?limit=5")
  return json<ReadonlyArray<CallRecord>>().find(({ kind }) => kind === "webrtc")!
})

const rings = (extension: string) => routed({ voice_url: null, forward_to: { type: "extension", value: extension } })

const world = Layer.provideMerge(SdkBrowser.layer, pbxWorld)

layer(world, { excludeTestServices: true, timeout: "120 seconds" })("the browser client", (it) => {
  it.effect("connects and registers with its token alone, and unregisters when it is destroyed", () =>
    Effect.gen(function* () {
      const { phone, user } = yield* registered("3001")
      assert.deepStrictEqual(
        (yield* phone.told).map(({ name }) => name),
        ["connected", "registered"]
      )
      assert.strictEqual(yield* phone.state, "registered")
      const [seen] = yield* user.registrations(1)
      assert.match(seen!.user_agent ?? "", /^trunkline-web\/0\./)
      yield* phone.run("client.destroy()")
      assert.deepInclude(yield* phone.hears("closed"), { reason: "destroyed" })
      yield* user.registrations(0)
    })
  )

  it.effect("calls with sound in both directions, is silent when muted, presses keys, and hangs up", () =>
    Effect.gen(function* () {
      const { farEnd } = yield* PbxWorld
      const { phone } = yield* registered("3002")
      yield* phone.run(`client.call("${numberOf("200")}")`)
      const ringing = yield* phone.hears("ringing")
      assert.strictEqual(typeof ringing.early_media, "boolean")
      const { sessionId } = yield* phone.hears("answered")
      assert.strictEqual(sessionId, ringing.sessionId)
      assert.strictEqual(yield* phone.callState, "active")
      yield* comesToHear(phone)
      yield* farEnd.forget
      yield* untilHolds("sound at the far end", () => farEnd.loud() > 5)

      yield* phone.run("client.mute()")
      assert.isTrue(yield* phone.run("client.isMuted"))
      yield* Effect.sleep("500 millis")
      yield* farEnd.forget
      yield* Effect.sleep("2500 millis")
      assert.strictEqual(farEnd.loud(), 0)
      // The far end echoes, so what is muted is not heard either.
      assert.isBelow(yield* phone.loudest(1_500), -60)
      yield* phone.run("client.unmute()")
      yield* untilHolds("sound at the far end", () => farEnd.loud() > 5)

      yield* farEnd.forget
      yield* phone.run(`client.dtmf("12#")`)
      assert.strictEqual(yield* until("three keys", Effect.sync(farEnd.keys), (keys) => keys.length >= 3), "12#")

      const quality = (yield* phone.run("client.getStats()")) as Readonly<Record<string, unknown>>
      assert.strictEqual(quality["codec"], "audio/opus")
      assert.isAbove(quality["received"] as number, 100)
      yield* phone.run("client.hangup()")
      assert.strictEqual((yield* ends(phone, "local")).sessionId, sessionId)
      assert.deepInclude(yield* newest("outbound"), { hangup_source: "caller", status: "completed" })
      yield* allSettled
    })
  )

  it.effect("tells why a call ended: the other side, busy, an unknown number, its own cancel", () =>
    Effect.gen(function* () {
      const { phone } = yield* registered("3003")
      yield* talksTo(phone, carrierNumbers.hangsUp)
      yield* ends(phone, "remote")
      yield* phone.run(`client.call("${numberOf("486")}")`)
      assert.deepInclude(yield* ends(phone, "remote", "user_busy"), { code: 486 })
      yield* phone.run(`client.call("${numberOf("404")}")`)
      yield* ends(phone, "remote", "unallocated_number")
      yield* phone.run(`client.call("${numberOf(carrierNumbers.rings)}")`)
      yield* phone.hears("ringing")
      yield* phone.run("client.hangup()")
      yield* ends(phone, "local", "canceled_by_workspace")
      yield* nothingLeft
    })
  )

  it.effect("is called with sound in both directions until the caller hangs up, and rejects in two ways", () =>
    Effect.gen(function* () {
      const { farEnd } = yield* PbxWorld
      const { phone } = yield* registered("3004")
      yield* rings("3004")
      yield* farEnd.forget
      const talking = yield* Effect.forkScoped(calls({ from: mary, talks_ms: 5_000 }))
      const { from, sessionId } = yield* phone.hears("incoming")
      assert.include(from, mary)
      assert.strictEqual(yield* phone.callState, "incoming")
      yield* phone.run("client.accept()")
      assert.strictEqual((yield* phone.hears("accepted")).sessionId, sessionId)
      yield* comesToHear(phone)
      yield* untilHolds("sound at the far end", () => farEnd.loud() > 5)
      yield* ends(phone, "remote")
      assert.strictEqual(yield* Fiber.join(talking), 0)

      for (const [reason, why] of [
        ["declined", "call_rejected"],
        ["busy", "user_busy"]
      ] as const) {
        const refused = yield* Effect.forkScoped(calls({ from: mary, refused_with: 486 }))
        const { sessionId } = yield* phone.hears("incoming")
        yield* phone.run(`client.reject("${reason}")`)
        assert.strictEqual((yield* phone.hears("declined")).sessionId, sessionId)
        yield* ends(phone, "local", why)
        yield* Fiber.join(refused)
      }

      const impatient = yield* Effect.forkScoped(calls({ from: mary, gives_up_ms: 1_000 }))
      yield* phone.hears("incoming")
      yield* ends(phone, "remote", "no_answer")
      yield* Fiber.join(impatient)
      yield* nothingLeft
    })
  )

  it.effect("is in two tabs: both ring, and the second one hears that the call was answered elsewhere", () =>
    Effect.gen(function* () {
      const { phone, user } = yield* registered("3005")
      const other = yield* client("3005")
      yield* other.hears("registered")
      yield* user.registrations(2)
      yield* rings("3005")
      const talking = yield* Effect.forkScoped(calls({ from: mary, talks_ms: 2_000 }))
      yield* Effect.all([phone.hears("incoming"), other.hears("incoming")])
      yield* other.run("client.accept()")
      yield* other.hears("accepted")
      yield* ends(phone, "remote", "answered_elsewhere")
      yield* ends(other, "remote")
      assert.strictEqual(yield* Fiber.join(talking), 0)
      yield* nothingLeft
    })
  )

  it.effect("calls another browser, which is busy for a third, and hangs up from the called side", () =>
    Effect.gen(function* () {
      const [{ phone: asha }, { phone: ben }, { phone: chi }] = yield* Effect.all([
        registered("3006"),
        registered("3007"),
        registered("3008")
      ])
      yield* asha.run(`client.call("3007")`)
      const { from } = yield* ben.hears("incoming")
      assert.isString(from)
      yield* ben.run("client.accept()")
      yield* Effect.all([asha.hears("answered"), ben.hears("accepted")])
      yield* comesToHear(asha)
      yield* comesToHear(ben)
      yield* asha.run(`client.call("3008")`)
      assert.deepInclude(yield* asha.hears("error"), { code: "busy", error: true })
      yield* chi.run(`client.call("3007")`)
      yield* ends(chi, "remote", "user_busy")
      assert.strictEqual(yield* ben.callState, "active")
      yield* ben.run("client.hangup()")
      yield* ends(ben, "local")
      yield* ends(asha, "remote")
      yield* nothingLeft
    })
  )

  it.effect("holds, and warns when nothing is heard", () =>
    Effect.gen(function* () {
      const { farEnd } = yield* PbxWorld
      const { phone } = yield* registered("3009")
      yield* talksTo(phone, "200")
      yield* comesToHear(phone)
      yield* phone.run("client.hold()")
      assert.strictEqual(yield* phone.callState, "held")
      yield* Effect.sleep("500 millis")
      yield* farEnd.forget
      assert.isBelow(yield* phone.loudest(1_500), -60)
      yield* phone.run("client.unhold()")
      assert.strictEqual(yield* phone.callState, "active")
      yield* comesToHear(phone)
      yield* farEnd.silence(true)
      assert.deepInclude(yield* phone.hears("quality_warning"), { kind: "no_audio" })
      yield* farEnd.silence(false)
      yield* phone.run("client.hangup()")
      yield* ends(phone, "local")
      yield* nothingLeft
    })
  )

  it.effect("changes the microphone in a call, and says when a device cannot be used", () =>
    Effect.gen(function* () {
      const { farEnd } = yield* PbxWorld
      const { phone } = yield* registered("3010")
      yield* talksTo(phone, "200")
      const before = yield* phone.run("client.getAudioStreams().local.id")
      const device = yield* phone.run(
        `navigator.mediaDevices.enumerateDevices().then((all) => all.filter(({ kind }) => kind === "audioinput").at(-1).deviceId)`
      )
      yield* phone.run(`client.setInputDevice("${String(device)}")`)
      assert.notStrictEqual(yield* phone.run("client.getAudioStreams().local.id"), before)
      assert.strictEqual((yield* phone.left).tracks, 1)
      yield* farEnd.forget
      yield* untilHolds("sound of the other microphone", () => farEnd.loud() > 5)
      yield* phone.run(`client.setInputDevice("nothing")`)
      assert.deepInclude(yield* phone.hears("error"), { code: "microphone_missing" })
      yield* phone.run(`client.setOutputDevice("nothing")`)
      assert.deepInclude(yield* phone.hears("error"), { code: "device_unavailable" })
      yield* phone.run("client.hangup()")
      yield* ends(phone, "local")
      assert.strictEqual((yield* phone.left).tracks, 0)
      yield* nothingLeft
    })
  )

  it.effect("leaves nothing when it is destroyed in a call", () =>
    Effect.gen(function* () {
      const { phone, user } = yield* registered("3011")
      const before = yield* phone.left
      assert.strictEqual(before.sockets, 1)
      assert.isAbove(before.listeners, 0)
      yield* talksTo(phone, "200")
      yield* phone.run("client.destroy()")
      yield* ends(phone, "local")
      assert.deepInclude(yield* phone.hears("closed"), { reason: "destroyed" })
      yield* leavesNothing(phone)
      assert.deepStrictEqual(yield* phone.run("Object.values(client.getAudioStreams()).filter(Boolean).length"), 0)
      yield* user.registrations(0)
      yield* nothingLeft
    })
  )

  it.effect("connects again after the network was away, and its call goes on until either side hangs up", () =>
    Effect.gen(function* () {
      const { program } = yield* PbxWorld
      const { open } = yield* SdkBrowser
      yield* extensionFor("3012")
      const relay = yield* makeRelay(Number(new URL(program.base_url).port))
      const { token } = yield* tokenFor("3012")
      const phone = yield* open({ token, endpoint: `ws://127.0.0.1:${relay.port}/v1/webrtc/sip` })
      yield* phone.hears("registered")
      yield* talksTo(phone, "200")
      yield* comesToHear(phone)
      yield* relay.cut
      assert.deepInclude(yield* phone.hears("reconnecting"), { attempt: 1, retry_in_ms: 1_000 })
      assert.strictEqual(yield* phone.state, "reconnecting")
      yield* comesToHear(phone)
      assert.strictEqual(yield* phone.callState, "active")
      yield* phone.hears("reconnecting")
      yield* relay.mend
      yield* phone.hears("connected")
      yield* phone.hears("registered")
      yield* phone.run("client.hangup()")
      yield* ends(phone, "local")
      yield* nothingLeft
      assert.deepInclude(yield* newest("outbound"), { status: "completed", hangup_source: "caller" })

      yield* talksTo(phone, "200")
      yield* phone.run("client.reconnect()")
      assert.deepInclude(yield* phone.hears("reconnecting"), { attempt: 0 })
      yield* phone.hears("registered")
      yield* comesToHear(phone)
      yield* program.ask(`/v1/calls/${(yield* lastCall).id}/terminate`, { method: "POST" })
      yield* ends(phone, "remote")

      // What the PBX says while the client is away waits for it.
      yield* talksTo(phone, "200")
      yield* relay.cut
      yield* phone.hears("reconnecting")
      yield* program.ask(`/v1/calls/${(yield* lastCall).id}/terminate`, { method: "POST" })
      yield* relay.mend
      yield* ends(phone, "remote")
      yield* allSettled
    })
  )

  it.effect("is the telephone of the example's page", () =>
    Effect.gen(function* () {
      const { farEnd, program } = yield* PbxWorld
      const { openPage } = yield* SdkBrowser
      yield* extensionFor("3013")
      yield* Effect.promise(writeWebBundle)
      const port = yield* freePort
      const site = yield* runExample("click-to-call", {
        PORT: String(port),
        ENGINE_URL: program.base_url,
        API_KEY: program.demo().api_key,
        EXTENSION: "3013",
        CALLS: numberOf("200")
      })
      yield* site.printed("The page is at")
      const page = yield* openPage(`http://127.0.0.1:${port}/`)
      const shows = (status: string) =>
        until(
          `page that shows ${status}`,
          page.evaluate<string>(`document.getElementById("status")?.textContent ?? ""`),
          (shown) => shown === status
        )
      const click = (id: string) => page.evaluate<void>(`document.getElementById("${id}").click()`)
      yield* shows("Ready")
      yield* farEnd.forget
      yield* click("call")
      yield* shows("Talking")
      yield* untilHolds("sound at the far end", () => farEnd.loud() > 5)
      yield* click("hang-up")
      yield* shows("Ended: normal_clearing")
      assert.strictEqual(yield* page.evaluate<string>(`document.getElementById("problem")?.textContent`), "")
      assert.deepInclude(yield* newest("outbound"), { status: "completed", hangup_source: "caller" })
      yield* allSettled
    })
  )
})
