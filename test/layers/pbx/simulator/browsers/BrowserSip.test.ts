// The SIP side of the simulated PBX, without a browser and without sound.
import { assert, describe, it } from "@effect/vitest"
import { Clock, Effect, FiberSet } from "effect"
import { TestClock } from "effect/testing"
import { Timers } from "../../../../../src/actors/runtime/Timers.ts"
import type { PbxEventData } from "../../../../../src/domain/pbx/PbxEvent.ts"
import { digestAnswer } from "../../../../../src/domain/webrtc/DigestAnswer.ts"
import type { DialogEnd } from "../../../../../src/layers/pbx/simulator/browsers/BrowserDialog.ts"
import { browserCallsMax, BrowserSip } from "../../../../../src/layers/pbx/simulator/browsers/BrowserSip.ts"
import type { CallFromBrowser } from "../../../../../src/layers/pbx/simulator/browsers/CallFromBrowser.ts"
import type { PhoneMedia } from "../../../../../src/layers/pbx/simulator/browsers/PhoneMedia.ts"
import { digestHash } from "../../../../../src/layers/webrtc/WsSipUpstream.ts"
import { first, parseSip, tagOf } from "../../../../support/SipText.ts"

const sdp = "v=0\r\n"
const password = "secret"

/** Agrees to everything at once, unless an offer is `refused`. */
const media: PhoneMedia = {
  answer: (_, offer, then) => then(offer === "refused" ? undefined : "answer"),
  offer: (_, then) => then("offer"),
  accept: (_, __, then) => then(true),
  addPhone: () => {},
  remove: () => {},
  link: () => {},
  set: () => {},
  play: () => {},
  stop: () => {}
}

const makeSip = Effect.gen(function* () {
  const clock = yield* Clock.Clock
  const run = yield* FiberSet.makeRuntime<never>()
  let ids = 0
  const registrations: Array<PbxEventData> = []
  const called: Array<{ readonly call: CallFromBrowser; readonly username: string; readonly dialled: string }> = []
  const told: Array<string | DialogEnd> = []
  const events = {
    ringing: () => told.push("ringing"),
    answered: () => told.push("answered"),
    pressed: (digit: string) => told.push(digit),
    ended: (end: DialogEnd) => told.push(end)
  }
  const sip = new BrowserSip({
    media,
    timers: new Timers(clock, run),
    now: () => clock.currentTimeMillisUnsafe(),
    uuid: () => `id${++ids}`,
    hash: digestHash,
    passwordsOf: (username) => (username === "asha" ? [password] : []),
    reportRegistration: (_, data) => registrations.push(data),
    called: (call, username, dialled) => {
      called.push({ call, username, dialled })
      return events
    }
  })
  const sent: Array<string> = []
  const line = sip.open((text) => sent.push(text))
  const last = () => parseSip(sent.at(-1)!)!
  const status = () => Number(last().start.slice(8, 11))
  let cseq = 0
  const send = (
    method: string,
    headers: ReadonlyArray<string> = [],
    body = "",
    more: { to?: string; id?: string } = {}
  ) =>
    line.receive(
      [
        `${method} sip:pbx SIP/2.0`.replace("sip:pbx", method === "REGISTER" ? "sip:pbx.test" : "sip:+999@pbx.test"),
        `Via: SIP/2.0/WS a.invalid;branch=z9hG4bK${++cseq}`,
        "From: <sip:asha@pbx.test>;tag=f",
        `To: <sip:${more.to ?? (method === "REGISTER" ? "asha" : "+999")}@pbx.test>`,
        `Call-ID: ${more.id ?? "c1"}`,
        `CSeq: ${cseq} ${method}`,
        "Contact: <sip:x1@a.invalid;transport=ws>;expires=60",
        ...headers,
        ...(body === "" ? [] : ["Content-Type: application/sdp"]),
        `Content-Length: ${body.length}`,
        "",
        body
      ].join("\r\n")
    )
  /** Sends the request, and again with an answer to the challenge. */
  const prove = (method: "REGISTER" | "INVITE", with_password = password, body = "", id = "c1") => {
    send(method, [], body, { id })
    const [asked, answers] =
      method === "REGISTER" ? ["www-authenticate", "Authorization"] : ["proxy-authenticate", "Proxy-Authorization"]
    const uri = method === "REGISTER" ? "sip:pbx.test" : "sip:+999@pbx.test"
    const secret = { username: "asha", password: with_password }
    const proof = digestAnswer(first(last(), asked), { method, uri }, secret, "cnonce", digestHash)
    const header = `${answers}: ${proof}`
    send(method, [header], body, { id })
    return header
  }
  return { sip, line, sent, last, status, send, prove, registrations, called, told }
})

describe("the SIP side of the simulated PBX", () => {
  it.effect("registers who proves to know the password, until the registration expires", () =>
    Effect.gen(function* () {
      const { last, prove, registrations, send, sip, status } = yield* makeSip
      const proof = prove("REGISTER")
      assert.strictEqual(status(), 200)
      assert.include(first(last(), "contact"), "expires=60")
      assert.isTrue(sip.isRegistered("asha"))
      // A challenge counts once.
      send("REGISTER", [proof])
      assert.strictEqual(status(), 401)
      yield* TestClock.adjust("61 seconds")
      assert.isFalse(sip.isRegistered("asha"))
      assert.deepStrictEqual(
        registrations.map(({ registration }) => registration),
        ["registered", "unregistered"]
      )
    })
  )

  it.effect("refuses a wrong password, another user's address, and a revoked user's calls", () =>
    Effect.gen(function* () {
      const { prove, send, sip, status } = yield* makeSip
      prove("REGISTER", "wrong")
      assert.strictEqual(status(), 401)
      send("REGISTER", [], "", { to: "ben" })
      assert.strictEqual(status(), 401)
      prove("REGISTER")
      sip.revoke("asha")
      assert.isFalse(sip.isRegistered("asha"))
      assert.deepStrictEqual(
        sip.ring("asha", "+1", () => assert.fail("It rings.")),
        []
      )
    })
  )

  it.effect("takes a call: it rings with sound, is answered, presses keys and ends", () =>
    Effect.gen(function* () {
      const { called, last, prove, send, status, told } = yield* makeSip
      prove("INVITE", password, sdp)
      const [{ call, dialled, username } = assert.fail("No call.")] = called
      assert.deepStrictEqual([username, dialled], ["asha", "+999"])
      call.ring()
      assert.strictEqual(status(), 183)
      assert.strictEqual(last().body, "answer")
      call.answer()
      assert.strictEqual(status(), 200)
      assert.isDefined(tagOf(first(last(), "to")))
      send("ACK")
      send("INFO", [], "Signal=5\r\nDuration=160\r\n")
      assert.strictEqual(status(), 200)
      assert.include(told, "5")
      yield* TestClock.adjust("5 minutes")
      send("BYE")
      assert.strictEqual(status(), 200)
      assert.deepInclude(told, { by: "browser" })
      send("BYE")
      assert.strictEqual(status(), 481)
    })
  )

  it.effect("hangs up on who does not acknowledge the answer", () =>
    Effect.gen(function* () {
      const { called, last, prove, told } = yield* makeSip
      prove("INVITE", password, sdp)
      called[0]!.call.answer()
      yield* TestClock.adjust("33 seconds")
      assert.match(last().start, /^BYE /)
      assert.deepInclude(told, { by: "silence" })
    })
  )

  it.effect("answers a cancelled call with 487, and an offer that it cannot take with 488", () =>
    Effect.gen(function* () {
      const { called, prove, send, sent, status, told } = yield* makeSip
      prove("INVITE", password, sdp)
      send("CANCEL")
      assert.strictEqual(status(), 487)
      assert.match(sent.at(-2)!, /^SIP\/2.0 200 /)
      assert.deepInclude(told, { by: "browser" })
      prove("INVITE", password, "refused", "c2")
      assert.strictEqual(status(), 488)
      assert.strictEqual(called.length, 1)
    })
  )

  it.effect(`carries ${browserCallsMax} calls, and refuses one more with the limit`, () =>
    Effect.gen(function* () {
      const { called, last, prove, status } = yield* makeSip
      for (let call = 0; call < browserCallsMax; call++) prove("INVITE", password, sdp, `c${call}`)
      assert.strictEqual(called.length, browserCallsMax)
      prove("INVITE", password, sdp, "one-more")
      assert.strictEqual(status(), 503)
      assert.include(last().start, String(browserCallsMax))
      called[0]!.call.hangUp(486)
      prove("INVITE", password, sdp, "one-more")
      assert.strictEqual(called.length, browserCallsMax + 1)
    })
  )

  it.effect("rings a registered browser until it refuses, is given up, or nothing comes from it", () =>
    Effect.gen(function* () {
      const { last, line, prove, sip, told, sent } = yield* makeSip
      prove("REGISTER")
      const ring = () =>
        sip.ring("asha", "+254700000000", () => ({
          ringing: () => told.push("ringing"),
          answered: () => told.push("answered"),
          pressed: () => {},
          ended: (end) => told.push(end)
        }))[0]!
      const respond = (status: number, body = "") => {
        const { headers } = parseSip(sent.findLast((text) => text.startsWith("INVITE "))!)!
        const repeated = headers
          .filter(([name]) => /^(via|from|call-id|cseq)$/i.test(name))
          .map(([name, value]) => `${name}: ${value}`)
        line.receive(
          [
            `SIP/2.0 ${status} Said`,
            ...repeated,
            "To: <sip:asha@simulator.invalid>;tag=t",
            "Contact: <sip:x1@a.invalid;transport=ws>",
            ...(body === "" ? [] : ["Content-Type: application/sdp"]),
            `Content-Length: ${body.length}`,
            "",
            body
          ].join("\r\n")
        )
      }
      ring()
      assert.strictEqual(last().body, "offer")
      respond(180)
      respond(486)
      assert.match(last().start, /^ACK /)
      assert.deepStrictEqual(told.splice(0), ["ringing", { by: "browser", sip_code: 486 }])

      const second = ring()
      respond(180)
      second.hangUp(480)
      assert.match(last().start, /^CANCEL /)
      // The answer crosses with the cancel.
      respond(200, sdp)
      assert.match(last().start, /^BYE /)
      assert.deepStrictEqual(told.splice(0), ["ringing"])

      ring()
      respond(200, sdp)
      assert.deepStrictEqual(told.splice(0), ["answered"])

      ring()
      yield* TestClock.adjust("33 seconds")
      assert.deepStrictEqual(told, [{ by: "browser", sip_code: 408 }])
    })
  )

  it.effect("answers malformed text with 400 or not at all, and goes on", () =>
    Effect.gen(function* () {
      const { line, prove, sent, status } = yield* makeSip
      line.receive("no SIP")
      line.receive("REGISTER sip:x SIP/2.0\r\n\r\n")
      assert.strictEqual(sent.length, 1)
      assert.strictEqual(status(), 400)
      line.receive("SIP/2.0 200 OK\r\n\r\n")
      assert.strictEqual(sent.length, 1)
      line.receive("\r\n\r\n")
      assert.strictEqual(sent.at(-1), "\r\n")
      prove("REGISTER")
      assert.strictEqual(status(), 200)
    })
  )
})
