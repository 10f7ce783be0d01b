import { assert, describe, it } from "@effect/vitest"
import { createHash } from "node:crypto"
import { digestAnswer } from "../../../src/domain/webrtc/DigestAnswer.ts"
import {
  atExpiry,
  authenticated,
  fromBrowser,
  fromPbx,
  type GateAction,
  type GateState,
  type GateStep,
  openGate,
  sipFrameMax
} from "../../../src/domain/webrtc/SipGate.ts"
import { all, first, parseSip, respond, tagOf, userOf } from "../../../src/domain/webrtc/SipMessage.ts"

const hash = (algorithm: "MD5" | "SHA-256", text: string) =>
  createHash(algorithm === "MD5" ? "md5" : "sha256")
    .update(text)
    .digest("hex")
const expires_at = 900_000
const open = openGate({ username: "1001-a", incoming: true, outgoing: true, expires_at })

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
    `${method} sip:${to.split(">")[0]}@pbx SIP/2.0`,
    `Via: SIP/2.0/WSS b.invalid;branch=${branch}`,
    `From: "Asha" <sip:${from}@pbx>;tag=f`,
    `To: <sip:${to.includes(">") ? to : `${to}@pbx>`}`,
    `Call-ID: ${call_id}`,
    `CSeq: 7 ${method}`,
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

const answer = (text: string, status: number, more = "") =>
  respond(parseSip(text)!, status, "Reason").replace("Content-Length", `${more}Content-Length`)

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
const hear = (text: string, state: GateState = open, now = 0) => fromPbx(state, text, now)
const textTo = ({ actions }: GateStep, whom: "ToPbx" | "ToBrowser") =>
  actions.flatMap((action) => (action._tag === whom ? [action.text] : []))[0]!

const calling = say(invite()).state
const listening = openGate({ username: "1001-a", incoming: true, outgoing: false, expires_at })
const dialling = openGate({ username: "1001-a", incoming: false, outgoing: true, expires_at })

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
    ["ends its call", say(within("BYE"), calling), ["ToPbx BYE"]],
    [
      "ends a call under another name of its own",
      say(within("BYE").replace("1001-a@pbx>;tag", "other@pbx>;tag"), calling),
      ["ToPbx BYE"]
    ],
    [
      "ends a call of somebody else",
      say(within("BYE", "c9").replace("1001-a@pbx>;tag", "other@pbx>;tag"), calling),
      ["Close 4403"]
    ],
    ["transfers", say(within("REFER"), calling), ["ToBrowser SIP/2.0 405"]],
    ["may not call", say(invite(), listening), ["ToBrowser SIP/2.0 403"]],
    ["may not be called", say(register(), dialling), ["ToBrowser SIP/2.0 403"]],
    ["may not be called, and leaves", say(register(["Expires: 0"]), dialling), ["ToPbx REGISTER"]],
    ["has lost its credential and registers", say(register(), open, 0, false), ["ToBrowser SIP/2.0 403"]],
    ["has lost its credential and calls", say(invite(), open, 0, false), ["ToBrowser SIP/2.0 403"]],
    ["has lost its credential and ends its call", say(within("BYE"), calling, 0, false), ["ToPbx BYE"]],
    ["sends a keep-alive", say("\r\n\r\n"), ["ToBrowser "]],
    ["answers a keep-alive", say("\r\n"), []],
    ["sends no SIP", say("GET / HTTP/1.1\r\n\r\n"), ["Close 1007"]],
    ["sends half a message", say("REGISTER sip:pbx SIP/2.0\r\nVia: x"), ["Close 1007"]],
    ["sends a header without a name", say(register().replace("Call-ID: c1", "c1")), ["Close 1007"]],
    ["sends too much", say(register() + "x".repeat(sipFrameMax)), ["Close 1009"]],
    ["names no transaction", say(register().replace(";branch=z9hG4bKa", "")), ["ToBrowser SIP/2.0 400"]]
  ]
  for (const [name, step, expected] of rows)
    it(`${name}: ${expected.join(", ") || "nothing"}`, () => assert.deepStrictEqual(told(step), expected))

  it("is registered for no longer than its token lasts", () => {
    const passed = (more: ReadonlyArray<string>) => parseSip(textTo(say(register(more), open, 700_500), "ToPbx"))!
    assert.strictEqual(first(passed(["Expires: 600"]), "expires"), "199")
    assert.strictEqual(first(passed(["Expires: 60"]), "expires"), "60")
    assert.strictEqual(first(passed([]), "expires"), "199")
    assert.strictEqual(first(passed(["Expires: soon"]), "expires"), "0")
    assert.include(
      first(
        parseSip(textTo(say(register([]).replace("b.invalid>", "b.invalid>;expires=7200"), open, 700_500), "ToPbx"))!,
        "contact"
      ),
      ";expires=199"
    )
  })

  it("says nothing that is not its to say", () => {
    const forged = [
      "P-Asserted-Identity: <sip:x@y>",
      "X-Trunkline-User: x",
      "Authorization: Digest x",
      "Route: <sip:evil>",
      "x-own: y"
    ]
    const names = parseSip(textTo(say(invite({ more: forged })), "ToPbx"))!.headers.map(([name]) => name)
    assert.deepStrictEqual(names, ["Via", "From", "To", "Call-ID", "CSeq", "x-own", "Content-Length"])
    const later = request("INFO", { to: "+254711000001@pbx>;tag=t", more: forged })
    assert.include(
      parseSip(textTo(say(later, calling), "ToPbx"))!.headers.map(([name]) => name),
      "Route"
    )
  })
})

describe("when the token has ended", () => {
  const late = expires_at
  const inCall = hear(answer(invite(), 200), calling).state
  const rows: ReadonlyArray<[string, GateStep, ReadonlyArray<string>]> = [
    ["nothing is under way", atExpiry(open, late), ["Close 4401"]],
    ["it has not", atExpiry(open, late - 1), []],
    ["a call rings", atExpiry(calling, late), []],
    ["a call is under way", atExpiry(inCall, late), []],
    ["it registers in a call", say(register(), inCall, late), ["ToBrowser SIP/2.0 403"]],
    ["it calls in a call", say(invite({ call_id: "c2" }), inCall, late), ["ToBrowser SIP/2.0 403"]],
    ["it registers", say(register(), open, late), ["ToBrowser SIP/2.0 403", "Close 4401"]],
    ["the call goes on", say(within("INVITE"), inCall, late), ["ToPbx INVITE"]],
    ["it ends the call", say(within("BYE"), inCall, late), ["ToPbx BYE", "Close 4401"]],
    ["the other ends the call", hear(request("BYE", { from: "x" }), inCall, late), ["ToBrowser BYE", "Close 4401"]],
    ["the call fails", hear(answer(invite(), 486), calling, late), ["ToBrowser SIP/2.0 486", "Close 4401"]],
    ["it is called in a call", hear(invite({ from: "x", call_id: "c2" }), inCall, late), ["ToPbx SIP/2.0 480"]],
    [
      "it declines a call",
      say(answer(invite({ from: "x", call_id: "c3" }), 603), hear(invite({ from: "x", call_id: "c3" })).state, late),
      ["ToPbx SIP/2.0 603", "Close 4401"]
    ]
  ]
  for (const [name, step, expected] of rows)
    it(`and ${name}: ${expected.join(", ") || "nothing"}`, () => assert.deepStrictEqual(told(step), expected))
})

describe("a challenge", () => {
  const challenge = 'WWW-Authenticate: Digest realm="pbx", nonce="n", algorithm=MD5, qop="auth"\r\n'
  const secret = { username: "1001-a", password: "p" }
  const asked = (state: GateState, text: string) =>
    hear(text, state).actions[0] as Extract<GateAction, { _tag: "Authenticate" }>

  it("of a registration is answered here, and the browser told of the end alone", () => {
    const { state } = say(register())
    const action = asked(state, answer(register(), 401, challenge))
    const step = authenticated(state, action, secret, "cn", hash)
    assert.deepStrictEqual(told(step), ["ToPbx REGISTER"])
    const again = parseSip(textTo(step, "ToPbx"))!
    assert.match(
      first(again, "authorization"),
      /^Digest username="1001-a", realm="pbx", nonce="n", uri="sip:1001-a@pbx"/
    )
    assert.include(first(again, "via"), "branch=z9hG4bKa.gate")
    const ok = hear(answer(textTo(step, "ToPbx"), 200), step.state)
    assert.deepStrictEqual(told(ok), ["ToBrowser SIP/2.0 200"])
    assert.include(first(parseSip(textTo(ok, "ToBrowser"))!, "via"), "branch=z9hG4bKa")
    assert.notInclude(textTo(ok, "ToBrowser"), ".gate")
    const refused = hear(answer(textTo(step, "ToPbx"), 401, challenge), step.state)
    assert.deepStrictEqual(told(refused), ["ToBrowser SIP/2.0 401"])
  })

  it("of a call is acknowledged here too, and what follows goes the new way", () => {
    const { state } = say(invite())
    const proxy = challenge.replace("WWW", "Proxy")
    const step = authenticated(state, asked(state, answer(invite(), 407, proxy)), secret, "cn", hash)
    assert.deepStrictEqual(told(step), ["ToPbx ACK", "ToPbx INVITE"])
    const [ack, again] = step.actions.map((action) => parseSip((action as { text: string }).text)!)
    assert.deepStrictEqual([first(ack!, "cseq"), tagOf(first(ack!, "to"))], ["7 ACK", "gate"])
    assert.strictEqual(all(again!, "proxy-authorization").length, 1)
    for (const method of ["CANCEL", "ACK"])
      assert.include(textTo(say(request(method), step.state), "ToPbx"), "z9hG4bKa.gate")
    assert.notInclude(
      textTo(say(request("ACK", { branch: "z9hG4bKother", to: "x@pbx>;tag=t" }), step.state), "ToPbx"),
      ".gate"
    )
  })

  it("that cannot be answered is passed on", () => {
    const { state } = say(register())
    assert.deepStrictEqual(
      told(authenticated(state, asked(state, answer(register(), 401, challenge)), undefined, "cn", hash)),
      ["ToBrowser SIP/2.0 401"]
    )
    const basic = asked(state, answer(register(), 401, 'WWW-Authenticate: Basic realm="pbx"\r\n'))
    assert.deepStrictEqual(told(authenticated(state, basic, secret, "cn", hash)), ["ToBrowser SIP/2.0 401"])
  })

  it("of what was never asked is passed on", () =>
    assert.deepStrictEqual(told(hear(answer(register(), 401, challenge))), ["ToBrowser SIP/2.0 401"]))
})

describe("an answer to a challenge", () => {
  it("is that of RFC 2617, section 3.5", () => {
    const answer = digestAnswer(
      'Digest realm="testrealm@host.com", qop="auth,auth-int", nonce="dcd98b7102dd2f0e8b11d0f600bfb0c093", opaque="5ccc069c403ebaf9f0171e9517f40e41"',
      { method: "GET", uri: "/dir/index.html" },
      { username: "Mufasa", password: "Circle Of Life" },
      "0a4f113b",
      hash
    )!
    assert.include(answer, 'response="6629fae49393a05397450978507c4ef1"')
    assert.include(answer, 'opaque="5ccc069c403ebaf9f0171e9517f40e41"')
  })
  it("is that of RFC 7616, section 3.9.1", () => {
    const answer = digestAnswer(
      'Digest realm="http-auth@example.org", qop="auth, auth-int", algorithm=SHA-256, nonce="7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v"',
      { method: "GET", uri: "/dir/index.html" },
      { username: "Mufasa", password: "Circle of Life" },
      "f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ",
      hash
    )!
    assert.include(answer, 'response="753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1"')
  })
  it("knows the oldest form, and none that it cannot compute", () => {
    const of = (challenge: string) =>
      digestAnswer(challenge, { method: "REGISTER", uri: "sip:pbx" }, { username: "u", password: "p" }, "c", hash)
    assert.notInclude(of('Digest realm="r", nonce="n"')!, "qop")
    for (const challenge of [
      'Basic realm="r"',
      'Digest nonce="n"',
      'Digest realm="r", nonce="n", algorithm=MD5-sess',
      'Digest realm="r", nonce="n", qop="auth-int"'
    ]) {
      assert.isUndefined(of(challenge), challenge)
    }
  })
})

describe("an address", () => {
  const rows: ReadonlyArray<[string, string | undefined]> = [
    ["<sip:1001@pbx>;tag=a", "1001"],
    ["sip:1001@pbx;tag=a", "1001"],
    ['"A <sip:2@x>" <sips:1001@pbx>', "1001"],
    ["Asha <sip:1001@pbx>", "1001"],
    ['"A\\" <sip:2@x>" <sip:1001@pbx>', "1001"],
    ["<sip:pbx>", undefined],
    ["<tel:+1>", undefined],
    ["", undefined],
    ["<sip:1001;x=2@pbx>", undefined]
  ]
  for (const [value, user] of rows) it(`${value} is of ${user}`, () => assert.strictEqual(userOf(value), user))
})
