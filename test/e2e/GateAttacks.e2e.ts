// Attacks of a page on the WebRTC gate, over a plain WebSocket, with a real PBX behind it: no call, no registration, no
// charge, and both stay alive.
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import type { CallRecord } from "../../src/domain/calls/state/CallRecord.ts"
import { openSocket } from "../support/SipSocket.ts"
import { until } from "../support/Until.ts"
import { bytesOf, Choices } from "../properties/model/Choices.ts"
import { mutate, writeSip } from "../properties/model/SipMutations.ts"
import { Browsers, tokenFor } from "./support/BrowserPhone.ts"
import { numberOf } from "./support/Pbx.ts"
import { allSettled, layer as pbxWorld, PbxWorld } from "./support/PbxWorld.ts"
import { credential } from "./support/Phones.ts"

const world = Browsers.layer.pipe(Layer.provideMerge(pbxWorld))

const sdp =
  "v=0\r\no=- 1 1 IN IP4 127.0.0.1\r\ns=-\r\nc=IN IP4 127.0.0.1\r\nt=0 0\r\nm=audio 4000 RTP/AVP 0\r\na=rtpmap:0 PCMU/8000\r\n"

const number = numberOf("200")
const to = `<sip:${number}@127.0.0.1>`
let serial = 0

const request = (
  method: string,
  username: string,
  parts: {
    readonly to?: string
    readonly from?: string
    readonly more?: ReadonlyArray<string>
    readonly body?: string
  } = {}
) => {
  const { body = method === "INVITE" ? sdp : "", from = `<sip:${username}@127.0.0.1>;tag=f`, more = [] } = parts
  const isRegister = method === "REGISTER"
  const own = isRegister ? `<sip:${username}@127.0.0.1>` : to
  const n = ++serial
  return writeSip({
    start: `${method} sip:${isRegister ? "" : `${number}@`}127.0.0.1 SIP/2.0`,
    branch: `z9hG4bKattack${n}`,
    from,
    to: parts.to ?? own,
    call_id: `attack-${n}`,
    cseq: `1 ${method}`,
    more: ["Contact: <sip:x@b.invalid;transport=ws>", ...more],
    body
  })
}

const callCount = Effect.gen(function* () {
  const { program } = yield* PbxWorld
  const { json } = yield* program.ask("/v1/calls?limit=100")
  return json<ReadonlyArray<CallRecord>>().length
})

/** Sends each frame on its own connection. Returns the status of the response, or the close code. */
const outcomes = (endpoint: string, frames: ReadonlyArray<string>) =>
  Effect.forEach(frames, (frame) =>
    Effect.scoped(
      Effect.gen(function* () {
        const { closed, frames: received, socket } = yield* openSocket(endpoint)
        let code: number | undefined
        void closed.then((at) => {
          code = at
        })
        socket.send(frame)
        const outcome = Effect.sync(() => {
          const status = received.find((text) => text.startsWith("SIP/2.0 "))?.slice(8, 11)
          return status === undefined ? code : Number(status)
        })
        return yield* until(`answer to ${frame}`, outcome, (seen) => seen !== undefined)
      })
    )
  )

layer(world, { excludeTestServices: true, timeout: "120 seconds" })("a page that attacks the gate", (it) => {
  it.effect("places no call and registers nothing beside its token", () =>
    Effect.gen(function* () {
      const { registrations, username } = yield* credential("2070")
      const { endpoint, token } = yield* tokenFor("2070", { allow: { incoming: false, outgoing: false } })
      const before = yield* callCount
      const invite = (parts: Parameters<typeof request>[2] = {}) => request("INVITE", username, parts)
      const within = invite({ to: `${to};tag=t` })
      const lasting = "Contact: <sip:x@b.invalid>;expires=600"
      const results = yield* outcomes(`${endpoint}?token=${token}`, [
        invite(),
        invite({ to: `<sip:${number}@127.0.0.1;tag=t>` }),
        within,
        invite().replace("From:", "f:").replace("To:", "t  :").replace("Via:", "v:\r\n "),
        request("OPTIONS", username) + invite(),
        invite({ from: "<sip:carrier@127.0.0.1>;tag=f" }),
        invite({ from: `<sip:${username}@127.0.0.1>;tag=f, <sip:carrier@127.0.0.1>;tag=f` }),
        invite().replace(`sip:${number}@`, "sip:+2542%2C10.0.0.5%3A5060@"),
        invite({ more: ["Replaces: a;to-tag=b;from-tag=c", "Refer-To: <sip:x@127.0.0.1>"] }),
        invite().replace("CSeq", "X: \0\r\nCSeq"),
        invite({ more: [`X-Long: ${"x".repeat(70_000)}`] }),
        request("REFER", username, { more: ["Refer-To: <sip:+254711000001@127.0.0.1>"] }),
        request("REGISTER", username),
        request("REGISTER", username, { more: ["Expires: 0"] }).replace(/Contact: [^\r]*/, lasting),
        request("REGISTER", username, { more: ["Expires: 0", "m: <sip:y@b.invalid>;expires =600"] }),
        request("BYE", username, { to: `${to};tag=t` }),
        "\r\n\r\n\r\nINVITE"
      ])
      assert.deepStrictEqual(
        results,
        [403, 403, 481, 403, 400, 4403, 400, 404, 403, 1007, 1009, 405, 403, 403, 400, 481, 1007]
      )
      assert.lengthOf(yield* registrations(0), 0)
      assert.strictEqual(yield* callCount, before)
      yield* allSettled
    })
  )

  it.effect("changes nothing with a thousand malformed messages, and the next browser registers", () =>
    Effect.gen(function* () {
      const { registrations, username } = yield* credential("2071")
      const { endpoint, token } = yield* tokenFor("2071", { allow: { incoming: false, outgoing: false } })
      const before = yield* callCount
      yield* Effect.scoped(
        Effect.gen(function* () {
          const choices = new Choices(bytesOf(1, 40_000))
          let { socket } = yield* openSocket(`${endpoint}?token=${token}`)
          for (let n = 0; n < 1_000; n++) {
            if (socket.readyState !== WebSocket.OPEN) socket = (yield* openSocket(`${endpoint}?token=${token}`)).socket
            socket.send(mutate(request(choices.of(["INVITE", "REGISTER", "OPTIONS", "BYE"]), username), choices))
            yield* Effect.sleep("3 millis")
          }
        })
      )
      assert.lengthOf(yield* registrations(0), 0)
      assert.strictEqual(yield* callCount, before)
      const client = yield* (yield* Browsers).open(yield* tokenFor("2071"))
      yield* client.hears("registered")
      assert.lengthOf(yield* registrations(1), 1)
      yield* allSettled
    })
  )

  it.effect("reaches the PBX with what its token allows", () =>
    Effect.gen(function* () {
      const { registrations, username } = yield* credential("2072")
      const { endpoint, token } = yield* tokenFor("2072", { allow: { outgoing: false } })
      yield* Effect.scoped(
        Effect.gen(function* () {
          const { frames, socket } = yield* openSocket(`${endpoint}?token=${token}`)
          socket.send(request("REGISTER", username, { more: ["Expires: 60"] }))
          assert.lengthOf(yield* registrations(1), 1)
          const [answer] = frames.filter((text) => text.startsWith("SIP/2.0 200"))
          assert.match(answer ?? "", /Contact: <sip:x@b\.invalid;transport=ws>;expires=(?:59|60)\r/)
        })
      )
      assert.lengthOf(yield* registrations(0), 0)
    })
  )
})
