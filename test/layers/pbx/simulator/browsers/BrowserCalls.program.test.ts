// Calls of a real Chromium with the simulated PBX and nothing else: the engine as `npm start` runs it, the client for
// browsers, the engine's own gate, and sound that is measured.
import { assert, describe, layer } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import type { CallRecord } from "../../../../../src/domain/calls/state/CallRecord.ts"
import type { CredentialRecord } from "../../../../../src/domain/credentials/CredentialRecord.ts"
import { comesToHear, ends, leavesNothing, otherBrowser, type SdkClient } from "../../../../e2e/support/SdkBrowser.ts"
import { makeRelay } from "../../../../support/Relay.ts"
import { makeProgram } from "../../../../support/Program.ts"
import * as TestDatabase from "../../../../support/TestDatabase.ts"
import { chromiumObstacle } from "../../../../support/ChromiumPath.ts"
import { until } from "../../../../support/Until.ts"

const answers = "+99900000001"
const busy = "+99900000002"
const rings = "+99900000003"
const unrated = "+99900000007"
const echoes = "+99900000012"
const nothingHeard = "+99900000021"
const callsBack = "+99900000027"

const makeWorld = Effect.gen(function* () {
  const program = yield* makeProgram()
  yield* program.start
  const browser = yield* otherBrowser({})
  const number = program.demo().number

  /** A page with a client of a new extension, which is registered. */
  const phone = (extension: string, more: object = {}, endpoint?: string) =>
    Effect.gen(function* () {
      const path = `/v1/numbers/${number.id}/sip-credentials`
      const made = yield* program.ask(path, { body: { extension } })
      assert.strictEqual(made.status, 201, made.text)
      const { id } = made.json<{ readonly id: string }>()
      yield* Effect.addFinalizer(() => Effect.ignore(program.ask(`${path}/${id}`, { method: "DELETE" })))
      const { json, status, text } = yield* program.ask("/v1/webrtc/token", { body: { extension, ...more } })
      assert.strictEqual(status, 200, text)
      const { token } = json<{ readonly token: string }>()
      const opened = yield* browser.open({ token, ...(endpoint !== undefined && { endpoint }) })
      yield* opened.hears("registered")
      return opened
    })

  /** The newest call of this kind, as soon as it is as wanted. */
  const newest = (kind: string, isWanted: (call: CallRecord) => boolean) =>
    until(
      `such a call of kind ${kind}`,
      Effect.map(program.ask("/v1/calls?limit=10"), ({ json }) =>
        json<ReadonlyArray<CallRecord>>().find((call) => call.kind === kind)
      ),
      (call): call is CallRecord => call !== undefined && isWanted(call)
    )

  const answerOf = (path: string, body: object) =>
    Effect.gen(function* () {
      const { json, status, text } = yield* program.ask(path, { body })
      assert.include([200, 201, 202], status, text)
      return json<CallRecord>()
    })
  return { program, number, phone, newest, answerOf }
})

class World extends Context.Service<World, Effect.Success<typeof makeWorld>>()("test/BrowserCallsWorld") {
  static readonly layer = Layer.effect(World, makeWorld).pipe(Layer.provide(TestDatabase.layer))
}

const isOver = ({ status }: CallRecord) => status !== "ringing" && status !== "answered"

const call = (phone: SdkClient, to: string) => phone.run(`client.call("${to}")`)

/** Below this level there is nothing but the noise of rounding. */
const silent_db = -60

/** Waits until what is on its way has been heard. */
const fallsSilent = (phone: SdkClient) => until("silence", phone.loudest(200), (loudest_db) => loudest_db < silent_db)

/** Waits until the page hears a tone of this frequency. */
const hearsTone = (phone: SdkClient, hz: number) =>
  until(`tone of ${hz} Hz`, phone.run("pitch()"), (heard) => Math.abs((heard as number) - hz) < 30)

describe.skipIf(chromiumObstacle !== undefined)("a browser with the simulated PBX", { timeout: 120_000 }, () => {
  layer(World.layer, { excludeTestServices: true, timeout: "120 seconds" })((it) => {
    it.effect("registers, hears it ring, then a voice, and hangs up", () =>
      Effect.gen(function* () {
        const { newest, phone, program, number } = yield* World
        const asha = yield* phone("2001")
        // The gateway reports the registration after it has answered the browser.
        yield* until(
          "registration of the browser",
          Effect.map(Effect.orDie(program.ask(`/v1/numbers/${number.id}/sip-credentials`)), ({ json }) =>
            json<ReadonlyArray<CredentialRecord>>().flatMap(({ registrations }) =>
              registrations.map(({ transport }) => transport)
            )
          ),
          ([transport]) => transport === "ws"
        )
        yield* call(asha, answers)
        assert.isTrue((yield* asha.hears("ringing")).early_media)
        yield* hearsTone(asha, 425)
        yield* asha.hears("answered")
        yield* comesToHear(asha)
        const stats = (yield* asha.run("client.getStats()")) as Readonly<Record<string, unknown>>
        assert.strictEqual(stats["codec"], "audio/PCMU")
        yield* asha.run("client.hangup()")
        yield* ends(asha, "local")
        const ended = yield* newest("webrtc", isOver)
        assert.deepInclude(ended, { status: "completed", hangup_source: "caller", to: answers })
        yield* asha.run("client.destroy()")
        yield* asha.hears("closed")
        yield* leavesNothing(asha)
      })
    )

    it.effect("is echoed, is silent when muted or on hold, and its keys arrive", () =>
      Effect.gen(function* () {
        const { newest, phone, program } = yield* World
        const asha = yield* phone("2002")
        yield* call(asha, echoes)
        yield* asha.hears("answered")
        yield* comesToHear(asha)
        yield* asha.run("client.mute()")
        yield* fallsSilent(asha)
        assert.isBelow(yield* asha.loudest(1_500), silent_db)
        yield* asha.run("client.unmute()")
        yield* comesToHear(asha)
        yield* asha.run("client.hold()")
        assert.strictEqual(yield* asha.callState, "held")
        yield* fallsSilent(asha)
        assert.isBelow(yield* asha.loudest(1_500), silent_db)
        yield* asha.run("client.unhold()")
        yield* comesToHear(asha)
        const { id } = yield* newest("webrtc", ({ status }) => status === "answered")
        yield* asha.run(`client.dtmf("12#")`)
        const keys = Effect.map(program.ask(`/v1/calls/${id}/timeline`), ({ text }) =>
          [...text.matchAll(/"digit":"(.)"/g)].map(([, digit]) => digit).join("")
        )
        assert.strictEqual(yield* until("third key", keys, (heard) => heard.length >= 3), "12#")
        yield* program.ask(`/v1/calls/${id}/terminate`, { method: "POST" })
        yield* ends(asha, "remote")
      })
    )

    it.effect("hears why a call ends: busy, no rate, its own cancel, and the other side that hangs up", () =>
      Effect.gen(function* () {
        const { newest, phone, program } = yield* World
        const asha = yield* phone("2003")
        yield* call(asha, busy)
        assert.deepInclude(yield* ends(asha, "remote", "user_busy"), { code: 486 })
        yield* call(asha, unrated)
        assert.isTrue((yield* asha.hears("ringing", "20 seconds")).early_media)
        yield* comesToHear(asha)
        assert.strictEqual((yield* asha.hears("hangup", "30 seconds")).by, "remote")
        yield* call(asha, rings)
        yield* asha.hears("ringing")
        yield* asha.run("client.hangup()")
        yield* ends(asha, "local", "canceled_by_workspace")
        assert.deepInclude(yield* newest("webrtc", isOver), { status: "canceled", hangup_source: "caller" })
        yield* call(asha, answers)
        yield* asha.hears("answered")
        const leg = yield* newest("dial", ({ status }) => status === "answered")
        yield* program.ask(`/v1/calls/${leg.id}/terminate`, { method: "POST" })
        yield* ends(asha, "remote")
      })
    )

    it.effect("is called by a simulated phone: accepts with sound, and declines", () =>
      Effect.gen(function* () {
        const { answerOf, newest, number, phone } = yield* World
        const asha = yield* phone("2004")
        yield* answerOf("/v1/calls/originate", { to: callsBack, from: number.number, actions: [{ hangup: {} }] })
        const { from } = yield* asha.hears("incoming", "20 seconds")
        assert.include(from, callsBack)
        yield* asha.run("client.accept()")
        yield* asha.hears("accepted")
        yield* comesToHear(asha)
        yield* asha.run("client.hangup()")
        yield* ends(asha, "local")
        assert.deepInclude(yield* newest("sip", isOver), { direction: "inbound", status: "completed" })
        yield* answerOf("/v1/calls/originate", { to: callsBack, from: number.number, actions: [{ hangup: {} }] })
        yield* asha.hears("incoming", "20 seconds")
        yield* asha.run(`client.reject()`)
        yield* asha.hears("declined")
        yield* ends(asha, "local", "call_rejected")
      })
    )

    it.effect("hears what the engine says to it, and its real keys are gathered", () =>
      Effect.gen(function* () {
        const { answerOf, newest, phone, program } = yield* World
        const asha = yield* phone("2005")
        yield* call(asha, nothingHeard)
        yield* asha.hears("answered")
        yield* fallsSilent(asha)
        assert.isBelow(yield* asha.loudest(800), silent_db)
        const { id } = yield* newest("webrtc", ({ status }) => status === "answered")
        const prompt = { say: { text: "Please press three keys, whenever you are ready." } }
        const gather = { num_digits: 3, timeout: 20, prompt }
        yield* answerOf(`/v1/calls/${id}/update`, { actions: [{ gather }] })
        yield* comesToHear(asha)
        yield* asha.run(`client.dtmf("407")`)
        const timeline = Effect.map(program.ask(`/v1/calls/${id}/timeline`), ({ text }) => text)
        yield* until("407 in the timeline", timeline, (text) => text.includes('"digits":"407"'))
      })
    )

    it.effect("says what is wrong with a number, and warns when nothing comes from the other side", () =>
      Effect.gen(function* () {
        const { phone } = yield* World
        const asha = yield* phone("2008")
        yield* call(asha, "<nobody>")
        assert.deepInclude(yield* asha.hears("error"), { code: "invalid_number" })
        yield* call(asha, nothingHeard)
        yield* asha.hears("answered")
        assert.deepInclude(yield* asha.hears("quality_warning"), { kind: "no_audio" })
        yield* asha.run("client.hangup()")
        yield* ends(asha, "local")
      })
    )

    it.effect(
      "goes on talking while its connection is away, is told before its token ends, and closes when it is refused",
      () =>
        Effect.gen(function* () {
          const { phone, program } = yield* World
          const away = Effect.gen(function* () {
            const relay = yield* makeRelay(Number(new URL(program.base_url).port))
            const asha = yield* phone("2009", {}, `ws://127.0.0.1:${relay.port}/v1/webrtc/sip`)
            yield* call(asha, echoes)
            yield* asha.hears("answered")
            yield* comesToHear(asha)
            yield* relay.cut
            yield* asha.hears("reconnecting")
            yield* comesToHear(asha)
            yield* relay.mend
            yield* asha.hears("connected", "30 seconds")
            yield* asha.hears("registered")
            yield* asha.run("client.hangup()")
            yield* ends(asha, "local")
            // The gate answers 400 to a registration without a time.
            yield* asha.run(`globalThis.tamper = (text) => text.replace(/^Expires: .*$/m, "Expires: soon")`)
            yield* asha.run("client.reconnect()")
            assert.deepInclude(yield* asha.hears("registration_failed"), { code: 400 })
            assert.deepInclude(yield* asha.hears("closed", "60 seconds"), { reason: "retries" })
          })
          const expiring = Effect.gen(function* () {
            const ben = yield* phone("2010", { ttl_seconds: 60 })
            yield* ben.hears("token_will_expire", "45 seconds")
            const { json } = yield* program.ask("/v1/webrtc/token", { body: { extension: "2010" } })
            yield* ben.run(`client.updateToken("${json<{ readonly token: string }>().token}")`)
            yield* ben.hears("registered")
          })
          yield* Effect.all([away, expiring], { concurrency: "unbounded" })
        }),
      120_000
    )

    it.effect("calls another browser: both hear each other, and the called one hangs up", () =>
      Effect.gen(function* () {
        const { phone } = yield* World
        const asha = yield* phone("2006")
        const ben = yield* phone("2007")
        yield* call(asha, "2007")
        yield* ben.hears("incoming")
        yield* ben.run("client.accept()")
        yield* Effect.all([asha.hears("answered"), ben.hears("accepted")])
        yield* comesToHear(asha)
        yield* comesToHear(ben)
        yield* ben.run("client.hangup()")
        yield* ends(ben, "local")
        yield* ends(asha, "remote")
      })
    )
  })
})
