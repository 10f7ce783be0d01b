// Two re-INVITEs that cross: RFC 3261, section 14.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { randomUUID } from "node:crypto"
import { acts } from "../support/Customer.ts"
import { untilHolds } from "../support/Until.ts"
import { allSettled, isAnswered, isOver, layer as pbxWorld, PbxWorld } from "./support/PbxWorld.ts"
import { answerTo, headerOf, type RawMessage, rawSip, soundAt, statusOf } from "./support/RawSip.ts"
import { changesPolicy } from "./support/SipAllowlist.ts"

const host = "127.0.0.4"
/** The shortest timer of RFC 4028. Asterisk refreshes after half of it: by INVITE, as the far end has no UPDATE. */
const timer = [
  "Supported: timer",
  "Require: timer",
  "Session-Expires: 90;refresher=uac",
  "Allow: INVITE, ACK, BYE, CANCEL"
]
/** Longer than half of the timer. */
const patience = { within_ms: 75_000 }

/** A far end within its dialog with Asterisk: requests of its own, by the INVITE that it received. */
const requestOf = (invite: string, port: number, method: string, cseq: number, branch: string, body = "") => {
  const contact = /<([^>]+)>/.exec(headerOf(invite, "Contact") ?? "")?.[1] ?? ""
  return [
    `${method} ${contact} SIP/2.0`,
    `Via: SIP/2.0/UDP ${host}:${port};branch=${branch}`,
    "Max-Forwards: 70",
    `From: ${headerOf(invite, "To")};tag=raw`,
    `To: ${headerOf(invite, "From")}`,
    `Call-ID: ${headerOf(invite, "Call-ID")}`,
    `CSeq: ${cseq} ${method}`,
    `Contact: <sip:raw@${host}:${port}>`,
    ...(body === "" ? [] : ["Content-Type: application/sdp"]),
    `Content-Length: ${body.length}`,
    "",
    body
  ].join("\r\n")
}

layer(pbxWorld, { excludeTestServices: true, timeout: "180 seconds" })("two re-INVITEs that cross", (it) => {
  it.effect("are both answered with 491, are sent again, and end no call", () =>
    Effect.gen(function* () {
      const { asterisk, customer, look, place, program, callUntil } = yield* PbxWorld
      yield* changesPolicy(program, program.demo().owner_session, [host])
      const branch = `z9hG4bK${randomUUID()}`
      let invite = ""
      let refreshes = 0
      const far = yield* rawSip({ host }, asterisk.sip_port, ({ start, text }: RawMessage) => {
        if (start.startsWith("ACK ")) return []
        if (!start.startsWith("INVITE ")) return [answerTo(text, "200 OK")]
        const accepted = answerTo(text, "200 OK", [`Contact: <sip:raw@${host}:${far.port}>`, ...timer], soundAt(40_000))
        if (!/;tag=/.test(headerOf(text, "To") ?? "")) {
          invite = text
          return [accepted]
        }
        if (++refreshes > 1) return [accepted]
        const own = requestOf(invite, far.port, "INVITE", 50, branch, soundAt(40_000))
        return [own, answerTo(text, "491 Request Pending")]
      })
      const sip = `sip:glare@${host}:${far.port}`
      const id = yield* place("200", customer.voice(acts({ dial: { sip, timeout: 5 } })))
      const { child_call_ids } = yield* callUntil(id, ({ child_call_ids }) => child_call_ids.length > 0)
      const leg = child_call_ids[0]!
      yield* callUntil(leg, isAnswered)

      const answers = () => far.received.filter(({ text }) => headerOf(text, "CSeq") === "50 INVITE").map(statusOf)
      yield* untilHolds("answer to the INVITE that crossed", () => answers().some((status) => status >= 200), patience)
      assert.strictEqual(answers().at(-1), 491)
      yield* far.send(requestOf(invite, far.port, "ACK", 50, branch))
      yield* untilHolds("second INVITE of Asterisk", () => refreshes > 1, patience)
      yield* Effect.sleep("2 seconds")
      assert.isTrue(isAnswered(yield* look(leg)), JSON.stringify(yield* look(leg)))

      yield* far.send(requestOf(invite, far.port, "BYE", 51, `z9hG4bK${randomUUID()}`))
      assert.deepInclude(yield* callUntil(leg, isOver), { status: "completed", hangup_source: "callee" })
      yield* allSettled
    })
  )
})
