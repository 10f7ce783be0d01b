import { assert, describe, it } from "@effect/vitest"
import { createHash } from "node:crypto"
import { authenticated, fromPbx } from "../../../src/domain/webrtc/GatePbx.ts"
import { type GateState, openGate } from "../../../src/domain/webrtc/GateState.ts"
import { atExpiry, type GateAction, type GateStep } from "../../../src/domain/webrtc/GateStep.ts"
import { fromBrowser } from "../../../src/domain/webrtc/SipGate.ts"
import { sipLimits } from "../../../src/domain/webrtc/SipSyntax.ts"
import { all, first, parseSip, respond, tagOf } from "../../support/SipText.ts"

const hash = (algorithm: "MD5" | "SHA-256", text: string) =>
  createHash(algorithm === "MD5" ? "md5" : "sha256")
    .update(text)
    .digest("hex")
const expires_at = 900_000
const token = { username: "1001-a", expires_at, domain: "pbx", connection: "c0" }
const open = openGate({ ...token, incoming: true, outgoing: true })

interface Parts {
  readonly from?: string
  readonly to?: string
  readonly call_id?: string
  readonly branch?: string
  readonly more?: ReadonlyArray<string>
}

const request = (
  method: string,
  { branch = "z9hG4bKa", call_id = "c1", from = "1001-a", more = [], to = "+254711000001" }: Parts = {}
) =>
  [
    `${method} sip:${to.split(/[@>]/, 1)[0]}@pbx SIP/2.0`,
    `Via: SIP/2.0/WSS b.invalid;branch=${branch}`,
    `From: "Asha" <sip:${from}@pbx>;tag=f`,
    `To: <sip:${to.includes(">") ? to : `${to}@pbx>`}`,
    `Call-ID: ${call_id}`,
    `CSeq: 7 ${method}`,
    ...(method === "INVITE" ? ["Contact: <sip:x@b.invalid>"] : []),
    ...more,
    "Content-Length: 0",
    "",
    ""
  ].join("\r\n")
const register = (more: ReadonlyArray<string> = ["Expires: 600"], to = "1001-a") =>
  request("REGISTER", { to, more: ["Contact: <sip:x@b.invalid>", ...more] })
const invite = (parts: Parts = {}) => request("INVITE", parts)
const within = (method: string, call_id = "c1") =>
  request(method, { to: "+254711000001@pbx>;tag=t", call_id, branch: `z9hG4bK${method}` })

/** The response to a request that the gate has passed. */
const answer = (text: string, status: number, more = "", tag = "t") =>
  respond(parseSip(text)!, status, "Reason")
    .replace(";tag=gate", `;tag=${tag}`)
    .replace("Content-Length", `${more}Content-Length`)

const told = ({ actions }: GateStep) =>
  actions.map((action: GateAction) => {
    switch (action._tag) {
      case "ToPbx":
      case "ToBrowser":
        return `${action._tag} ${action.text
          .split(" ", action.text.startsWith("SIP") ? 2 : 1)
          .join(" ")
          .trim()}`
      case "Close":
        return `Close ${action.code}`
      case "Authenticate":
        return "Authenticate"
    }
  })
const say = (text: string, state: GateState = open, now = 0, active = true) => fromBrowser(state, text, now, active)
const hear = (text: string, state: GateState = open, now = 0, active = true) => fromPbx(state, text, now, active)
const textTo = ({ actions }: GateStep, whom: "ToPbx" | "ToBrowser") =>
  actions.flatMap((action) => (action._tag === whom ? [action.text] : []))[0]!

const placing = say(invite())
const calling = placing.state
const placed = textTo(placing, "ToPbx")
const inCall = hear(answer(placed, 200, "Contact: <sip:pbx@192.0.2.1:5060>\r\n"), calling).state
const listening = openGate({ ...token, incoming: true, outgoing: false })
const dialling = openGate({ ...token, incoming: false, outgoing: true })

/** A call of the PBX that rings at the browser. */
const ringing = (call_id = "c3", state: GateState = open, now = 0) =>
  hear(request("INVITE", { from: "x", to: "device", call_id, branch: `z9hG4bK${call_id}` }), state, now)
const incomingInvite = textTo(ringing(), "ToBrowser")

describe("a browser", () => {
  const rows: ReadonlyArray<[string, GateStep, ReadonlyArray<string>]> = [
    ["registers", say(register()), ["ToPbx REGISTER"]],
    ["registers somebody else", say(register([], "1002-b")), ["Close 4403"]],
    ["registers as somebody else", say(register().replace("1001-a@pbx>;tag", "1002-b@pbx>;tag")), ["Close 4403"]],
    [
      "hides behind a display name",
      say(register().replace('"Asha" <sip:1001-a', '"<sip:1001-a@pbx>" <sip:1002-b')),
      ["Close 4403"]
    ],
    [
      "says twice who it is",
      say(
        register()
          .replace("Call-ID", "From: <sip:1001-a@pbx>;tag=g\r\nCall-ID")
          .replace('"Asha" <sip:1001-a', "<sip:1002-b")
      ),
      ["ToBrowser SIP/2.0 400"]
    ],
    [
      "says it in the short form as well",
      say(register().replace("Call-ID", "f: <sip:1002-b@pbx>;tag=g\r\nCall-ID")),
      ["ToBrowser SIP/2.0 400"]
    ],
    ["calls", say(invite()), ["ToPbx INVITE"]],
    ["calls as somebody else", say(invite({ from: "1002-b" })), ["Close 4403"]],
    ["ends its call", say(within("BYE"), inCall), ["ToPbx BYE"]],
    [
      "ends its call under another name",
      say(within("BYE").replace("1001-a@pbx>;tag", "other@pbx>;tag"), inCall),
      ["Close 4403"]
    ],
    ["ends a call that is not its own", say(within("BYE", "c9"), inCall), ["ToBrowser SIP/2.0 481"]],
    ["transfers", say(within("REFER"), inCall), ["ToBrowser SIP/2.0 405"]],
    ["may not call", say(invite(), listening), ["ToBrowser SIP/2.0 403"]],
    ["may not be called", say(register(), dialling), ["ToBrowser SIP/2.0 403"]],
    ["may not be called, and leaves", say(register(["Expires: 0"]), dialling), ["ToPbx REGISTER"]],
    ["has lost its credential and registers", say(register(), open, 0, false), ["ToBrowser SIP/2.0 403"]],
    ["has lost its credential and calls", say(invite(), open, 0, false), ["ToBrowser SIP/2.0 403"]],
    ["has lost its credential and ends its call", say(within("BYE"), inCall, 0, false), ["ToPbx BYE"]],
    ["sends a keep-alive", say("\r\n\r\n"), ["ToBrowser "]],
    ["answers a keep-alive", say("\r\n"), []],
    ["sends no SIP", say("GET / HTTP/1.1\r\n\r\n"), ["Close 1007"]],
    ["sends half a message", say("REGISTER sip:pbx SIP/2.0\r\nVia: x"), ["Close 1007"]],
    ["sends a header without a name", say(register().replace("Call-ID: c1", "c1")), ["Close 1007"]],
    ["sends too much", say(register() + "x".repeat(sipLimits.message)), ["Close 1009"]],
    ["names no transaction", say(register().replace(";branch=z9hG4bKa", "")), ["ToBrowser SIP/2.0 400"]]
  ]
  for (const [name, step, expected] of rows)
    it(`${name}: ${expected.join(", ") || "nothing"}`, () => assert.deepStrictEqual(told(step), expected))

  it("is registered for no longer than its token lasts", () => {
    const passed = (more: ReadonlyArray<string>) => parseSip(textTo(say(register(more), open, 700_500), "ToPbx"))!
    assert.strictEqual(first(passed(["Expires: 600"]), "expires"), "199")
    assert.strictEqual(first(passed(["Expires: 60"]), "expires"), "60")
    assert.strictEqual(first(passed([]), "expires"), "199")
    assert.deepStrictEqual(told(say(register(["Expires: soon"]))), ["ToBrowser SIP/2.0 400"])
    assert.include(
      first(
        parseSip(textTo(say(register([]).replace("b.invalid>", "b.invalid>;expires=7200"), open, 700_500), "ToPbx"))!,
        "contact"
      ),
      ";expires=199"
    )
  })

  it("cancels its call in the transaction that the PBX knows", () => {
    const step = say(request("CANCEL"), calling)
    assert.deepStrictEqual(told(step), ["ToPbx CANCEL"])
    const cancel = parseSip(textTo(step, "ToPbx"))!
    for (const name of ["via", "from", "to", "call-id"])
      assert.strictEqual(first(cancel, name), first(parseSip(placed)!, name), name)
    const refused = hear(answer(placed, 487), step.state)
    assert.deepStrictEqual(told(refused), ["ToPbx ACK", "ToBrowser SIP/2.0 487"])
    assert.deepStrictEqual(told(hear(answer(textTo(step, "ToPbx"), 200), refused.state)), ["ToBrowser SIP/2.0 200"])
  })

  it("sees the response to what it sent, and only the bindings of its own", () => {
    const step = say(register())
    const granted =
      "Contact: <sip:x@127.0.0.1:4;transport=ws>;expires=60\r\nContact: <sip:desk@10.0.0.9>;expires=600\r\n"
    const seen = parseSip(textTo(hear(answer(textTo(step, "ToPbx"), 200, granted), step.state), "ToBrowser"))!
    assert.strictEqual(first(seen, "via"), "SIP/2.0/WSS b.invalid;branch=z9hG4bKa")
    assert.strictEqual(first(seen, "from"), '"Asha" <sip:1001-a@pbx>;tag=f')
    assert.deepStrictEqual(all(seen, "contact"), ["<sip:x@b.invalid>;expires=60"])
  })

  it("unregisters all the contacts of its connection", () => {
    const step = say(register())
    const { state } = hear(answer(textTo(step, "ToPbx"), 200), step.state)
    const leaving = register(["Expires: 0"]).replace("<sip:x@b.invalid>", "*").replace("z9hG4bKa", "z9hG4bKb")
    const passed = parseSip(textTo(say(leaving, state), "ToPbx"))!
    assert.deepStrictEqual(all(passed, "contact"), ["<sip:x@c0.invalid;transport=ws>;expires=0"])
  })
})

describe("a call to a browser", () => {
  const answered = say(answer(incomingInvite, 200, "Contact: <sip:device@b.invalid>\r\n", "b"), ringing().state)
  const within = (method: string) =>
    [
      `${method} sip:pbx@192.0.2.1 SIP/2.0`,
      `Via: SIP/2.0/WSS b.invalid;branch=z9hG4bK${method}`,
      "From: <sip:device@pbx>;tag=b",
      'To: "Asha" <sip:x@pbx>;tag=f',
      "Call-ID: c3",
      `CSeq: 1 ${method}`,
      "Content-Length: 0",
      "",
      ""
    ].join("\r\n")

  const rows: ReadonlyArray<[string, GateStep, ReadonlyArray<string>]> = [
    ["rings", ringing(), ["ToBrowser INVITE"]],
    ["does not ring with a token without incoming calls", ringing("c3", dialling), ["ToPbx SIP/2.0 480"]],
    [
      "does not ring with a revoked credential",
      hear(request("INVITE", { from: "x", to: "device" }), open, 0, false),
      ["ToPbx SIP/2.0 480"]
    ],
    ["is answered", answered, ["ToPbx SIP/2.0 200"]],
    ["is declined", say(answer(incomingInvite, 603, "", "b"), ringing().state), ["ToPbx SIP/2.0 603", "ToBrowser ACK"]],
    ["is ended by the browser", say(within("BYE"), answered.state), ["ToPbx BYE"]],
    ["is ended by nobody else", say(within("BYE").replace("device@", "other@"), answered.state), ["Close 4403"]],
    [
      "is cancelled",
      hear(request("CANCEL", { from: "x", to: "device", call_id: "c3", branch: "z9hG4bKc3" }), ringing().state),
      ["ToBrowser CANCEL"]
    ],
    ["is cancelled, but not known", hear(request("CANCEL", { from: "x", to: "device" })), ["ToPbx SIP/2.0 481"]],
    ["is transferred", hear(request("REFER", { from: "x", to: "device" })), ["ToPbx SIP/2.0 405"]],
    ["is a message", hear(request("MESSAGE", { from: "x", to: "device" })), ["ToPbx SIP/2.0 405"]],
    ["is ended, but not known", hear(request("BYE", { from: "x", to: "d@pbx>;tag=z" })), ["ToPbx SIP/2.0 481"]],
    ["is a query of its abilities", hear(request("OPTIONS", { from: "x", to: "device" })), ["ToBrowser OPTIONS"]],
    ["is no SIP", hear("hello"), []],
    ["is a response to nothing", hear(answer(placed, 200)), []]
  ]
  for (const [name, step, expected] of rows)
    it(`${name}: ${expected.join(", ") || "nothing"}`, () => assert.deepStrictEqual(told(step), expected))

  it("is ended by the browser in the name of the token's subject", () =>
    assert.strictEqual(
      first(parseSip(textTo(say(within("BYE"), answered.state), "ToPbx"))!, "from"),
      "<sip:1001-a@pbx>;tag=b"
    ))
})

describe("when the token has ended", () => {
  const late = expires_at
  const bye = say(within("BYE"), inCall, late)
  const byeOfPbx = hear(
    [
      "BYE sip:x@c0.invalid SIP/2.0",
      "Via: SIP/2.0/WS pbx;branch=z9hG4bKbye",
      "From: <sip:+254711000001@pbx>;tag=t",
      "To: <sip:1001-a@pbx>;tag=f",
      "Call-ID: c1",
      "CSeq: 1 BYE",
      "",
      ""
    ].join("\r\n"),
    inCall,
    late
  )
  const rows: ReadonlyArray<[string, GateStep, ReadonlyArray<string>]> = [
    ["nothing is under way", atExpiry(open, late), ["Close 4401"]],
    ["it has not", atExpiry(open, late - 1), []],
    ["a call rings", atExpiry(say(invite(), open, late - 1).state, late), []],
    ["a call is under way", atExpiry(inCall, late), []],
    ["it registers in a call", say(register(), inCall, late), ["ToBrowser SIP/2.0 403"]],
    ["it calls in a call", say(invite({ call_id: "c2" }), inCall, late), ["ToBrowser SIP/2.0 403"]],
    ["it registers", say(register(), open, late), ["ToBrowser SIP/2.0 403", "Close 4401"]],
    ["the call goes on", say(within("INFO"), inCall, late), ["ToPbx INFO"]],
    ["it ends the call", bye, ["ToPbx BYE"]],
    [
      "the PBX has ended the call too",
      hear(answer(textTo(bye, "ToPbx"), 200), bye.state, late),
      ["ToBrowser SIP/2.0 200", "Close 4401"]
    ],
    ["the PBX does not say that the call has ended", say("\r\n", bye.state, late + 32_000), ["Close 4401"]],
    ["the other ends the call", byeOfPbx, ["ToBrowser BYE"]],
    [
      "it agrees that the call has ended",
      say(answer(textTo(byeOfPbx, "ToBrowser"), 200), byeOfPbx.state, late),
      ["ToPbx SIP/2.0 200", "Close 4401"]
    ],
    [
      "the call fails",
      hear(answer(placed, 486), say(invite(), open, late - 1).state, late),
      ["ToPbx ACK", "ToBrowser SIP/2.0 486", "Close 4401"]
    ],
    [
      "it is called in a call",
      hear(request("INVITE", { from: "x", to: "device", call_id: "c2" }), inCall, late),
      ["ToPbx SIP/2.0 480"]
    ],
    [
      "it declines a call",
      say(answer(incomingInvite, 603), ringing("c3", open, late - 1).state, late),
      ["ToPbx SIP/2.0 603", "ToBrowser ACK", "Close 4401"]
    ],
    ["its call is older than any call", say("\r\n", inCall, late + 4 * 3_600_000), ["Close 4401"]]
  ]
  for (const [name, step, expected] of rows)
    it(`and ${name}: ${expected.join(", ") || "nothing"}`, () => assert.deepStrictEqual(told(step), expected))
})

describe("a challenge", () => {
  const challenge = 'WWW-Authenticate: Digest realm="pbx", nonce="n", algorithm=MD5, qop="auth"\r\n'
  const secret = { username: "1001-a", password: "p" }
  const registering = say(register())
  const registration = textTo(registering, "ToPbx")
  const challenged = (state: GateState, text: string, more: string) => {
    const step = hear(answer(text, 401, more), state)
    return { step, action: step.actions.find(({ _tag }) => _tag === "Authenticate") as Authenticate }
  }
  type Authenticate = Extract<GateAction, { _tag: "Authenticate" }>
  const repeat = ({ action, step }: ReturnType<typeof challenged>, known: typeof secret | undefined = secret) =>
    authenticated(step.state, action, known, "cn", hash, 0)

  it("of a registration is answered here, and the browser sees only the end", () => {
    const asked = challenged(registering.state, registration, challenge)
    assert.deepStrictEqual(told(asked.step), ["Authenticate"])
    const step = repeat(asked)
    assert.deepStrictEqual(told(step), ["ToPbx REGISTER"])
    const again = parseSip(textTo(step, "ToPbx"))!
    assert.match(first(again, "authorization"), /^Digest username="1001-a", realm="pbx", nonce="n", uri="sip:pbx"/)
    assert.strictEqual(first(again, "expires"), "600")
    assert.notStrictEqual(first(again, "via"), first(parseSip(registration)!, "via"))
    const ok = hear(answer(textTo(step, "ToPbx"), 200), step.state)
    assert.deepStrictEqual(told(ok), ["ToBrowser SIP/2.0 200"])
    assert.include(first(parseSip(textTo(ok, "ToBrowser"))!, "via"), "branch=z9hG4bKa")
    const refused = hear(answer(textTo(step, "ToPbx"), 401, challenge), step.state)
    assert.deepStrictEqual(told(refused), ["ToBrowser SIP/2.0 403"])
    assert.notInclude(textTo(refused, "ToBrowser"), "Digest")
  })

  it("of a call is acknowledged here too, and a CANCEL follows the repeated request", () => {
    const proxy = answer(placed, 407, challenge.replace("WWW", "Proxy"))
    const asked = hear(proxy, calling)
    assert.deepStrictEqual(told(asked), ["ToPbx ACK", "Authenticate"])
    const step = authenticated(asked.state, asked.actions[1] as Authenticate, secret, "cn", hash, 0)
    assert.deepStrictEqual(told(step), ["ToPbx INVITE"])
    const ack = parseSip(textTo(asked, "ToPbx"))!
    const again = parseSip(textTo(step, "ToPbx"))!
    assert.deepStrictEqual([first(ack, "cseq"), tagOf(first(ack, "to"))], ["7 ACK", "t"])
    assert.strictEqual(first(ack, "via"), first(parseSip(placed)!, "via"))
    assert.strictEqual(all(again, "proxy-authorization").length, 1)
    const cancel = parseSip(textTo(say(request("CANCEL"), step.state), "ToPbx"))!
    assert.strictEqual(first(cancel, "via"), first(again, "via"))
  })

  it("is not answered for a call that the browser has cancelled meanwhile", () => {
    const asked = hear(answer(placed, 407, challenge.replace("WWW", "Proxy")), calling)
    const cancelled = say(request("CANCEL"), asked.state)
    assert.deepStrictEqual(told(cancelled), ["ToBrowser SIP/2.0 200", "ToBrowser SIP/2.0 487"])
    const step = authenticated(cancelled.state, asked.actions[1] as Authenticate, secret, "cn", hash, 0)
    assert.deepStrictEqual(told(step), [])
  })

  it("that cannot be answered ends the request", () => {
    const revoked = authenticated(
      challenged(registering.state, registration, challenge).step.state,
      challenged(registering.state, registration, challenge).action,
      undefined,
      "cn",
      hash,
      0
    )
    assert.deepStrictEqual(told(revoked), ["ToBrowser SIP/2.0 403"])
    const basic = challenged(registering.state, registration, 'WWW-Authenticate: Basic realm="pbx"\r\n')
    assert.deepStrictEqual(told(repeat(basic)), ["ToBrowser SIP/2.0 403"])
  })

  it("of what was never asked is dropped", () =>
    assert.deepStrictEqual(told(hear(answer(registration, 401, challenge))), []))
})
