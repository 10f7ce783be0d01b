// Ways past the WebRTC gate. What reaches the PBX is read by a second parser.
import { assert, describe, it } from "@effect/vitest"
import {
  dialling,
  expires_at,
  hear,
  inCall,
  invite,
  lines,
  listening,
  open,
  type Parts,
  register,
  say,
  sent,
  statuses,
  within
} from "../../support/GateMessages.ts"
import type { GateState } from "../../../src/domain/webrtc/GateState.ts"
import type { GateStep } from "../../../src/domain/webrtc/GateStep.ts"
import { contactExpiry, headerOf, readSip } from "../../support/SipReader.ts"
import { parseSip, respond } from "../../support/SipText.ts"

describe("a new call that poses as one within a call", () => {
  const disguises: ReadonlyArray<readonly [string, string]> = [
    ["a tag within the URI of To", "<sip:+254711000001@pbx;tag=t>"],
    ["a tag in the display name of To", '";tag=t" <sip:+254711000001@pbx>'],
    ["a tag of no call", "<sip:+254711000001@pbx>;tag=t"],
    ["a tag in the headers of To's URI", "<sip:+254711000001@pbx?x=;tag=t>"],
    ["an escaped tag", "<sip:+254711000001@pbx>;%74ag=t"]
  ]
  for (const [name, to] of disguises) {
    it(`by ${name} does not pass a token without outgoing calls`, () => {
      const step = say(invite({ to }), listening)
      assert.deepStrictEqual(sent(step), [])
      assert.isAtLeast(Number(statuses(step)[0]), 400)
    })
    it(`by ${name} does not pass an ended token, nor a revoked one`, () => {
      assert.deepStrictEqual(sent(say(invite({ to }), open, expires_at)), [])
      assert.deepStrictEqual(sent(say(invite({ to }), open, 0, false)), [])
    })
    it(`by ${name} brings no Route`, () => {
      for (const text of sent(say(invite({ to, more: ["Route: <sip:evil.example;lr>"] }))))
        assert.deepStrictEqual(headerOf(readSip(text)!, "Route"), [])
    })
  }
})

describe("a registration that poses as its own end", () => {
  const disguises: ReadonlyArray<readonly [string, Parts]> = [
    ["Expires: 0 beside a Contact that lasts", { contact: "<sip:x@b.invalid>;expires=600", more: ["Expires: 0"] }],
    ["a space before the equals sign", { contact: "<sip:x@b.invalid>;expires =600", more: ["Expires: 0"] }],
    ["a space behind the semicolon", { contact: "<sip:x@b.invalid>; expires= 600", more: ["Expires: 0"] }],
    ["capitals", { contact: "<sip:x@b.invalid>;EXPIRES=600", more: ["Expires: 0"] }],
    ["a second Contact", { contact: "<sip:x@b.invalid>;expires=0, <sip:y@b.invalid>;expires=600" }],
    ["a second Contact header", { contact: "<sip:x@b.invalid>;expires=0", more: ["m: <sip:y@b.invalid>;expires=600"] }],
    ["a second Expires", { more: ["Expires: 0", "Expires: 600"] }],
    ["two parameters", { contact: "<sip:x@b.invalid>;expires=0;expires=600" }],
    ["a fold", { contact: "<sip:x@b.invalid>;expires\r\n =600", more: ["Expires: 0"] }],
    ["quotes", { contact: '<sip:x@b.invalid>;expires="600"', more: ["Expires: 0"] }],
    ["a parameter of the URI", { contact: "<sip:x@b.invalid;expires=0>;expires=600" }],
    ["a display name", { contact: '";expires=0" <sip:x@b.invalid>;expires=600' }],
    ["a star", { contact: "*", more: ["Expires: 600"] }]
  ]
  for (const [name, parts] of disguises)
    it(`by ${name} does not pass a token without incoming calls`, () => {
      for (const text of sent(say(register(parts), dialling))) {
        const read = readSip(text)!
        assert.deepStrictEqual(headerOf(read, "Expires"), ["0"])
        assert.strictEqual(contactExpiry(read), 0)
        assert.lengthOf(headerOf(read, "Contact"), 1)
      }
    })
  it("lasts no longer than its token, however it says so", () => {
    for (const [name, parts] of disguises)
      for (const text of sent(say(register(parts), open, expires_at - 5_500))) {
        const read = readSip(text)!
        assert.isAtMost(Number(headerOf(read, "Expires")[0]), 5, name)
        assert.isAtMost(contactExpiry(read)!, 5, name)
      }
  })
})

describe("a sender that is somebody else", () => {
  const senders: ReadonlyArray<readonly [string, string]> = [
    ["within a call", "<sip:carrier@pbx>;tag=f"],
    ["behind its own address", "<sip:1001-a@pbx>;tag=f, <sip:carrier@pbx>;tag=f"],
    ["before its own address", "<sip:carrier@pbx>;tag=f, <sip:1001-a@pbx>;tag=f"],
    ["with two @", "<sip:1001-a@carrier@pbx>;tag=f"],
    ["with two @, the other way round", "<sip:carrier@1001-a@pbx>;tag=f"],
    ["with an escaped @", "<sip:1001-a%40carrier@pbx>;tag=f"],
    ["in the display name", '"<sip:1001-a@pbx>" <sip:carrier@pbx>;tag=f'],
    ["behind a NUL", "<sip:1001-a\0carrier@pbx>;tag=f"],
    ["behind an escaped NUL", "<sip:1001-a%00carrier@pbx>;tag=f"],
    ["as a user with a password", "<sip:1001-a:carrier@pbx>;tag=f"],
    ["as a folded second header", "<sip:1001-a@pbx>;tag=f\r\n ,<sip:carrier@pbx>"],
    ["as a second header", "<sip:1001-a@pbx>;tag=f\r\nFrom: <sip:carrier@pbx>;tag=f"],
    ["as a second header in the short form", "<sip:1001-a@pbx>;tag=f\r\nf : <sip:carrier@pbx>;tag=f"],
    ["behind a bare line feed", "<sip:1001-a@pbx>;tag=f\nFrom: <sip:carrier@pbx>;tag=f"],
    ["behind a bare carriage return", "<sip:1001-a@pbx>;tag=f\rFrom: <sip:carrier@pbx>;tag=f"],
    ["with headers in the URI", "<sip:1001-a@pbx?From=carrier>;tag=f"],
    ["as a user with parameters", "<sip:1001-a;x=carrier@pbx>;tag=f"],
    ["with two tags", "<sip:1001-a@pbx>;tag=f;tag=g"]
  ]
  for (const [name, from] of senders)
    it(`${name} reaches nobody`, () => {
      for (const step of [say(invite({ from })), say(within("INFO", { from }), inCall), say(register({ from }))])
        assert.deepStrictEqual(sent(step), [])
    })
  it("is printed as the token's subject alone", () => {
    const step = say(invite({ from: 'Carrier <sip:1001-a@carrier.example:5070;user=phone>;tag=f;x="y"' }))
    assert.deepStrictEqual(headerOf(readSip(sent(step)[0]!)!, "From"), ["<sip:1001-a@pbx>;tag=f"])
  })
})

describe("a second message in one frame", () => {
  const other = invite({ from: "<sip:carrier@pbx>;tag=f" })
  const frames: ReadonlyArray<readonly [string, string]> = [
    ["behind a length of 0", invite() + other],
    [
      "behind a length that is too small",
      `${invite({ length: "4", more: ["Content-Type: application/sdp"] })}v=0\n${other}`
    ],
    ["behind a keep-alive", `\r\n\r\n${invite()}${other}`],
    ["behind no length", invite().replace("Content-Length: 0\r\n", "") + other],
    ["behind two lengths", invite({ more: [`l: ${other.length}`, "Content-Type: application/sdp"] }) + other],
    ["behind a length with a sign", invite({ length: "+0" }) + other],
    ["behind a length that overflows", invite({ length: "4294967296" }) + other],
    [
      "as a body of a type that is not listed",
      invite({ length: String(other.length), more: ["Content-Type: message/sip"] }) + other
    ]
  ]
  for (const [name, frame] of frames)
    it(`${name} is refused with the first`, () => assert.deepStrictEqual(sent(say(frame)), []))
  it("is refused if the length is larger than the body", () =>
    assert.deepStrictEqual(sent(say(invite({ length: "9" }))), []))
})

describe("a header that is not on the list", () => {
  const unlisted = [
    "Identity: x",
    "y: x",
    "Diversion: <sip:+1@x>",
    "History-Info: <sip:+1@x>;index=1",
    "Referred-By: <sip:a@b>",
    "b: <sip:a@b>",
    "P-Asserted-Identity: <sip:+254700000009@pbx>",
    "P-Asserted-Service: urn:x",
    "P-Preferred-Identity: <sip:x@y>",
    "Remote-Party-ID: <sip:x@y>",
    "Privacy: id",
    "Replaces: c9;to-tag=a;from-tag=b",
    "Join: c9;to-tag=a;from-tag=b",
    "Refer-To: <sip:+882161234567@carrier>",
    "r: <sip:+882161234567@carrier>",
    "Target-Dialog: c9;local-tag=a;remote-tag=b",
    "Route: <sip:evil.example;lr>",
    "Record-Route: <sip:evil.example;lr>",
    "Path: <sip:evil.example;lr>",
    "Authorization: Digest username=x",
    "Proxy-Authorization: Digest username=x",
    "X-Trunkline-User: x",
    "X-Own: y",
    "Alert-Info: <http://10.0.0.5/>",
    "Call-Info: <http://10.0.0.5/>",
    "Subject: x",
    "Max-Breadth: 5",
    "Geolocation: <sip:a@b>"
  ]
  it("does not reach the PBX", () => {
    const [text] = sent(say(invite({ more: unlisted })))
    assert.deepStrictEqual(Object.keys(readSip(text!)!.headers).toSorted(), [
      "CSeq",
      "Call-ID",
      "Contact",
      "Content-Length",
      "From",
      "Max-Forwards",
      "To",
      "Via"
    ])
  })
  it("does not reach it within a call either, nor folded, nor in capitals", () => {
    const folded = unlisted.map((line) => line.toUpperCase().replace(": ", " :\r\n\t"))
    const [text] = sent(say(within("INFO", { more: folded }), inCall))
    assert.deepStrictEqual(Object.keys(readSip(text!)!.headers).toSorted(), [
      "CSeq",
      "Call-ID",
      "Content-Length",
      "From",
      "Max-Forwards",
      "To",
      "Via"
    ])
  })
  it("is refused if it asks for an extension that is not on the list", () => {
    const step = say(invite({ more: ["Require: replaces"] }))
    assert.deepStrictEqual(statuses(step), [420])
    assert.include(sent(step, "ToBrowser")[0]!, "Unsupported: replaces")
  })
})

describe("a target that is not a number", () => {
  const uris = [
    "sip:+2542%2C10.0.0.5%3A5060@pbx",
    "sip:+2542,x@pbx",
    "sip:a&PJSIP/carrier/sip:b@pbx",
    "sip:a%26PJSIP%2Fcarrier@pbx",
    "sip:+254711000001@pbx?Replaces=c9",
    "sip:+254711000001:password@pbx",
    "sip:a@b@pbx",
    "sip:%24%7BEXTEN%7D@pbx",
    "tel:+254711000001",
    "sips:+254711000001@pbx",
    "http://10.0.0.5/",
    "sip:pbx",
    `sip:${"1".repeat(600)}@pbx`
  ]
  for (const uri of uris)
    it(`is not called: ${uri.slice(0, 40)}`, () => assert.deepStrictEqual(sent(say(invite({ uri }))), []))
  it("is called at the deployment's own domain only, and To says the same", () => {
    const [text] = sent(say(invite({ uri: "sip:+254711000001@carrier.example:5070;maddr=10.0.0.5", to: "<sip:x@y>" })))
    const read = readSip(text!)!
    assert.strictEqual(text!.split("\r\n", 1)[0], "INVITE sip:+254711000001@pbx SIP/2.0")
    assert.deepStrictEqual(headerOf(read, "To"), ["<sip:+254711000001@pbx>"])
  })
})

describe("a Contact", () => {
  for (const contact of [
    "<sip:a&PJSIP/carrier/sip:b@b.invalid>",
    "<sip:a%26b@b.invalid>",
    "<sip:x@b.invalid?Route=x>",
    "<sip:x@b.invalid>, <sip:y@b.invalid>",
    "<tel:+1>",
    "*"
  ]) {
    it(`that is a trick is refused: ${contact}`, () => {
      assert.deepStrictEqual(sent(say(invite({ contact }))), [])
      assert.deepStrictEqual(sent(say(register({ contact }))), [])
    })
  }
  it("never leads the PBX to another host", () => {
    const contact = "<sip:x@10.0.0.5:5060;maddr=10.0.0.6;transport=udp>"
    for (const text of [...sent(say(invite({ contact }))), ...sent(say(register({ contact })))]) {
      assert.match(headerOf(readSip(text)!, "Contact")[0]!, /^<sip:x@c0\.invalid;transport=ws>/)
      assert.notInclude(text, "10.0.0.")
    }
  })
  it("of another connection cannot be unregistered", () => {
    const all = register({ contact: "*", more: ["Expires: 0"] })
    assert.deepStrictEqual([sent(say(all)), statuses(say(all))], [[], [200]])
    const step = say(register({ contact: "<sip:y@other.invalid>;expires=0" }))
    assert.include(headerOf(readSip(sent(step)[0]!)!, "Contact")[0], "<sip:y@c0.invalid;transport=ws>;expires=0")
  })
})

describe("a response of the browser", () => {
  const ringing = (method = "INVITE") =>
    hear(
      lines(method, { from: "<sip:+254722000002@pbx>;tag=p", to: "<sip:x@pbx>", uri: "sip:x@c0.invalid" }).replace(
        "z9hG4bKa",
        "z9hG4bKpbx"
      )
    )
  const answer = (status: number, more = "") =>
    respond(parseSip(sent(ringing(), "ToBrowser")[0]!)!, status, "Reason").replace(
      "Content-Length",
      `${more}Content-Length`
    )
  it("does not redirect the caller", () => {
    const step = say(answer(302, "Contact: <sip:+882161234567@carrier>\r\n"), ringing().state)
    assert.include(sent(step)[0]!, "SIP/2.0 480 ")
    assert.notInclude(sent(step)[0]!, "+882161234567")
  })
  it("does not ask the PBX for its password", () => {
    for (const status of [401, 407]) {
      const step = say(answer(status, 'Proxy-Authenticate: Digest realm="x", nonce="y"\r\n'), ringing().state)
      assert.include(sent(step)[0]!, "SIP/2.0 480 ")
      assert.notInclude(sent(step)[0]!, "Digest")
    }
  })
  it("to nothing that was asked reaches nobody", () => {
    assert.deepStrictEqual(sent(say(answer(200))), [])
    assert.deepStrictEqual(sent(say(answer(200).replace("CSeq: 7 INVITE", "CSeq: 7 BYE"), ringing().state)), [])
    assert.deepStrictEqual(sent(say(answer(200).replace("Call-ID: c1", "Call-ID: c9"), ringing().state)), [])
    assert.deepStrictEqual(sent(say(answer(200).replace(";tag=p", ";tag=q"), ringing().state)), [])
    assert.deepStrictEqual(sent(say(answer(200).replace(/branch=[^;\r]+/, "branch=z9hG4bKpbx"), ringing().state)), [])
  })
  it("repeats who called whom as the PBX said it", () => {
    const forged = answer(200, "Contact: <sip:x@10.0.0.5>\r\n").replace("+254722000002", "carrier")
    const read = readSip(sent(say(forged, ringing().state))[0]!)!
    assert.deepStrictEqual([read.from.uri.user, read.call_id], ["+254722000002", "c1"])
    assert.match(headerOf(read, "Contact")[0]!, /^<sip:x@c0\.invalid;/)
  })
})

describe("a request within a call", () => {
  it("goes where the PBX said, whatever the browser writes", () => {
    const step = say(
      within("INVITE", { uri: "sip:+882161234567@carrier", more: ["Route: <sip:evil.example;lr>"] }),
      inCall
    )
    const [text] = sent(step)
    assert.strictEqual(text!.split("\r\n", 1)[0], "INVITE sip:pbx@192.0.2.1 SIP/2.0")
    assert.notInclude(text!, "evil")
  })
  it("is unknown with another Call-ID, another tag, or no tag", () => {
    for (const text of [
      within("BYE").replace("Call-ID: c1", "Call-ID: C1"),
      within("BYE", { to: "<sip:+254711000001@pbx>;tag=T" }),
      within("BYE", { from: "<sip:1001-a@pbx>;tag=g" }),
      within("BYE", { to: "<sip:+254711000001@pbx>" })
    ])
      assert.deepStrictEqual(statuses(say(text, inCall)), [481])
  })
  it("cancels no call of another connection", () => {
    assert.deepStrictEqual(statuses(say(lines("CANCEL"))), [481])
    assert.deepStrictEqual(sent(say(lines("ACK"))), [])
  })
  it("is unknown once the call has ended", () => {
    const after = say(within("BYE"), inCall).state
    assert.deepStrictEqual(statuses(say(within("INFO"), after)), [481])
  })
})

describe("too much", () => {
  it("of anything is refused", () => {
    const rows: ReadonlyArray<string> = [
      invite({ more: Array.from({ length: 70 }, (_, index) => `X-${index}: y`) }),
      invite({ more: [`User-Agent: ${"x".repeat(5_000)}`] }),
      invite({ from: `<sip:1001-a@pbx>;tag=${"f".repeat(300)}` }),
      invite().replace("Call-ID: c1", `Call-ID: ${"c".repeat(300)}`),
      invite().replace("z9hG4bKa", `z9hG4bK${"a".repeat(300)}`),
      invite().replace("CSeq: 7", "CSeq: 99999999999"),
      invite({ length: "70000", more: ["Content-Type: application/sdp"] }) + "x".repeat(70_000)
    ]
    for (const text of rows) assert.deepStrictEqual(sent(say(text)), [], text.slice(0, 80))
  })
  it("in too short a time closes the connection", () => {
    const flood = (count: number, state: GateState, now: number) => {
      let last: GateStep = { state, actions: [] }
      for (let n = 0; n < count; n++) last = say("\r\n\r\n", last.state, now)
      return last
    }
    const full = flood(100, open, 0)
    assert.deepStrictEqual(full.actions, [{ _tag: "ToBrowser", text: "\r\n" }])
    assert.deepStrictEqual(statuses(say("\r\n\r\n", full.state)), [1008])
    assert.deepStrictEqual(statuses(say(invite(), full.state)), [1008])
    assert.deepStrictEqual(flood(20, full.state, 1_000).actions, [{ _tag: "ToBrowser", text: "\r\n" }])
    assert.deepStrictEqual(statuses(flood(21, full.state, 1_000)), [1008])
  })
  it("of pending requests and of calls is refused, and later accepted again", () => {
    let state = open
    for (let n = 0; n < 32; n++) {
      const step = say(lines("OPTIONS").replace("z9hG4bKa", `z9hG4bK${n}`), state)
      assert.lengthOf(sent(step), 1)
      state = step.state
    }
    const more = lines("OPTIONS").replace("z9hG4bKa", "z9hG4bKmore")
    assert.deepStrictEqual(statuses(say(more, state)), [503])
    assert.lengthOf(sent(say(more, state, 33_000)), 1)
  })
})
