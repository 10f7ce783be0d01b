// Parsing after RFC 3261, section 25, with the ideas of the torture messages of RFC 4475.
import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import {
  parseAddress,
  parseAddresses,
  parseVias,
  printAddress,
  printVia
} from "../../../src/domain/webrtc/SipAddress.ts"
import { lexSip, methodOf } from "../../../src/domain/webrtc/SipLexer.ts"
import { type SipMessage, understand } from "../../../src/domain/webrtc/SipMessage.ts"
import { parseUri, printUri } from "../../../src/domain/webrtc/SipUri.ts"

describe("the method of a frame", () => {
  const rest = "Call-ID: c\r\n\r\n"
  it.each([
    ["REGISTER sip:pbx SIP/2.0\r\n", "REGISTER"],
    ["REGISTER\tsip:pbx SIP/2.0\r\n", "REGISTER"],
    ["INVITE\r\n sip:pbx SIP/2.0\r\n", "INVITE"],
    ["OPTIONS\r\n\tsip:pbx\tSIP/2.0\r\n", "OPTIONS"],
    ["REGISTER  sip:pbx SIP/2.0\r\n", undefined],
    [" REGISTER sip:pbx SIP/2.0\r\n", undefined],
    ["SIP/2.0 200 OK\r\n", undefined],
    [`REGISTER sip:${"x".repeat(70_000)} SIP/2.0\r\n`, undefined]
  ])("is read as the gate reads it: %j", (start, method) => {
    assert.strictEqual(methodOf(start + rest), method)
  })
})

describe("a URI", () => {
  const rows: ReadonlyArray<readonly [string, string | undefined]> = [
    ["sip:1001@pbx", "sip:1001@pbx"],
    ["SIP:1001@PBX", "sip:1001@pbx"],
    ["sips:%31001@pbx:5061;transport=ws", "sips:%31001@pbx:5061;transport=ws"],
    ["sip:+2542%2C5%3B@pbx", "sip:+2542%2C5%3B@pbx"],
    ["sip:sip%3Auser%40example.com@company.com", "sip:sip%3Auser%40example.com@company.com"],
    [
      "sip:1_unusual.URI~(to-be!sure)&isn't+it$/crazy?,/;;*@example.com",
      "sip:1_unusual.URI~(to-be!sure)&isn't+it$/crazy?,/;;*@example.com"
    ],
    ["sip:+254711000001;npdi@pbx", "sip:+254711000001;npdi@pbx"],
    ["sip:[2001:db8::1]:5060", "sip:[2001:db8::1]:5060"],
    ["sip:10.0.0.5", "sip:10.0.0.5"],
    ["sip:x@1.1", undefined],
    ["sip:x@", undefined],
    ["sip:x@pbx:0", undefined],
    ["sip:x@pbx:65536", undefined],
    ["sip:x:password@pbx", undefined],
    ["sip:x@pbx?Replaces=y", undefined],
    ["sip:x@pbx;a;A=1", undefined],
    ["sip:a@b@pbx", undefined],
    ["sip:x%00@pbx", undefined],
    ["sip:x%0d%0aFrom@pbx", undefined],
    ["sip:x%ff@pbx", undefined],
    ["sip:x%zz@pbx", undefined],
    ["sip: x@pbx", undefined],
    ["tel:+254711000001", undefined],
    ["sip:", undefined]
  ]
  for (const [text, expected] of rows)
    it(`${text} is ${expected ?? "malformed"}`, () => {
      const uri = parseUri(text)
      assert.strictEqual(uri && printUri(uri), expected)
    })
})

describe("an address", () => {
  const rows: ReadonlyArray<readonly [string, string | undefined]> = [
    ["<sip:1001@pbx>;tag=a", "<sip:1001@pbx>;tag=a"],
    ["sip:1001@pbx;tag=a", "<sip:1001@pbx>;tag=a"],
    ["<sip:1001@pbx;tag=a>", "<sip:1001@pbx;tag=a>"],
    ['"A <sip:2@x>" <sip:1001@pbx>', '"A <sip:2@x>" <sip:1001@pbx>'],
    ["Asha Wanjiru <sip:1001@pbx>", '"Asha Wanjiru" <sip:1001@pbx>'],
    ['"A\\" <sip:2@x>" <sip:1001@pbx>', '"A\\" <sip:2@x>" <sip:1001@pbx>'],
    [
      '"J Rosenberg \\\\\\""  <sip:jdrosen@example.com> ; tag = 98asjd8',
      '"J Rosenberg \\\\\\"" <sip:jdrosen@example.com>;tag=98asjd8'
    ],
    ['<sip:x@pbx>;+sip.instance="<urn:uuid:1>";reg-id=1', '<sip:x@pbx>;+sip.instance="<urn:uuid:1>";reg-id=1'],
    ["Bell, Alexander <sip:a.g.bell@bell-tel.com>;tag=43", undefined],
    ["<sip:a@x>, <sip:b@x>", undefined],
    ["sip:a@x, sip:b@x", undefined],
    ["<sip:a@x> <sip:b@x>", undefined],
    ["<sip:a@x>;tag=a;TAG=b", undefined],
    ['"unclosed <sip:a@x>', undefined],
    ["<sip:a@x", undefined],
    ["sip:a@x?Route=y", undefined],
    ["<>", undefined],
    ["", undefined],
    ["*", undefined]
  ]
  for (const [text, expected] of rows)
    it(`${text} is ${expected ?? "malformed"}`, () => {
      const address = parseAddress(text)
      assert.strictEqual(address && printAddress(address), expected)
    })
  it("stands in a list, separated by commas outside of quotes and brackets", () => {
    const list = parseAddresses('"a, b" <sip:1@x>;q=0.5 , <sip:2@x;p=1>, sip:3@x;expires=5')
    assert.deepStrictEqual(list?.map(printAddress), ['"a, b" <sip:1@x>;q=0.5', "<sip:2@x;p=1>", "<sip:3@x>;expires=5"])
    assert.isUndefined(parseAddresses("<sip:1@x>,"))
    assert.isUndefined(parseAddresses("<sip:1@x>,,<sip:2@x>"))
  })
  it("is read in a time that grows with its length only", () => {
    for (const text of ["a ".repeat(2_000), `"${"\\a".repeat(2_000)}`, `<sip:${"a.".repeat(250)}`, ";a=".repeat(1_000)])
      assert.isUndefined(parseAddress(text))
  })
})

describe("a Via", () => {
  const rows: ReadonlyArray<readonly [string, ReadonlyArray<string> | undefined]> = [
    ["SIP/2.0/WSS b.invalid;branch=z9hG4bKa", ["SIP/2.0/WSS b.invalid;branch=z9hG4bKa"]],
    ["SIP / 2.0 / wss   b.invalid ; branch = z9hG4bKa", ["SIP/2.0/WSS b.invalid;branch=z9hG4bKa"]],
    [
      "SIP/2.0/UDP [2001:db8::9]:5060;received=10.0.0.1;branch=b",
      ["SIP/2.0/UDP [2001:db8::9]:5060;received=10.0.0.1;branch=b"]
    ],
    ["SIP/2.0/WS a;branch=1, SIP/2.0/WS b;branch=2", ["SIP/2.0/WS a;branch=1", "SIP/2.0/WS b;branch=2"]],
    ["SIP/2.0/WS a", undefined],
    ["SIP/3.0/WS a;branch=1", undefined],
    ["SIP/2.0/WS a:99999;branch=1", undefined],
    ["SIP/2.0/WS a:;branch=1", undefined],
    ['SIP/2.0/WS a;branch="1"', undefined]
  ]
  for (const [text, expected] of rows)
    it(`${text} is ${expected ?? "malformed"}`, () => assert.deepStrictEqual(parseVias(text)?.map(printVia), expected))
})

const read = (text: string): SipMessage | string => {
  const lexed = lexSip(text)
  if (lexed === undefined) return "not SIP"
  const message = understand(lexed)
  return Result.isSuccess(message) ? message.success : `${message.failure.status} ${message.failure.reason}`
}
const torture = (change: (text: string) => string = (text) => text) =>
  read(
    change(
      [
        "INVITE sip:vivekg@chair-dnrc.example.com;unknownparam SIP/2.0",
        "TO :\r\n sip:vivekg@chair-dnrc.example.com ;   tag    = 1918181833n",
        'from   : "J Rosenberg \\\\\\""       <sip:jdrosen@example.com>\r\n  ;\r\n  tag = 98asjd8',
        "MaX-fOrWaRdS: 0068",
        "i: wsinv.ndaksdj@192.0.2.1",
        "Content-Length   : 5",
        "cseq: 0009\r\n  INVITE",
        "v:  SIP  / 2.0  /\r\n TCP     spindle.example.com   ;\r\n  branch  =   z9hG4bK9ikj8  ,\r\n SIP  /    2.0   / UDP  192.168.255.111   ; branch=\r\n z9hG4bK30239",
        'm:"Quoted string \\"\\"" <sip:jdrosen@example.com> ; newparam =\r\n      newvalue ;\r\n  secondparam ; q = 0.33',
        "c: application/sdp;charset=utf-8",
        "New-Header: whatever",
        "",
        "v=0\r\n"
      ].join("\r\n")
    )
  )

describe("a message", () => {
  it("may be folded, spaced, in capitals and in short forms (RFC 4475, section 3.1.1.1)", () => {
    const message = torture()
    if (typeof message === "string") assert.fail(message)
    assert.deepInclude(message, {
      _tag: "Request",
      method: "INVITE",
      cseq: 9,
      max_forwards: 68,
      call_id: "wsinv.ndaksdj@192.0.2.1",
      body: { type: "application/sdp", text: "v=0\r\n" }
    })
    assert.deepStrictEqual([message.from.tag, message.to.tag, message.vias.length], ["98asjd8", "1918181833n", 2])
    assert.strictEqual(message.from.display, 'J Rosenberg \\"')
  })

  const rows: ReadonlyArray<readonly [string, (text: string) => string, string]> = [
    ["two Call-IDs", (text) => text.replace("i: ", "Call-ID: x\r\ni: "), "400 Malformed call-id"],
    [
      "a length below the body's",
      (text) => text.replace(": 5", ": 4"),
      "400 Content-Length is not the length of the body"
    ],
    ["a negative length", (text) => text.replace(": 5", ": -5"), "400 Malformed content-length"],
    ["another method in CSeq", (text) => text.replace("\r\n  INVITE", " BYE"), "400 Malformed cseq"],
    ["a CSeq that is too large", (text) => text.replace("0009", "36893488147419103232"), "400 Malformed cseq"],
    ["a From that is not closed", (text) => text.replace('\\\\\\""', "\\\\\\"), "400 Malformed from"],
    ["no From", (text) => text.replace("from ", "x-from "), "400 Malformed from"],
    [
      "brackets around the request URI",
      (text) => text.replace("sip:vivekg@chair-dnrc.example.com;unknownparam", "<sip:v@x>"),
      "416 Unsupported URI Scheme"
    ],
    ["two spaces in the request line", (text) => text.replace("INVITE sip", "INVITE  sip"), "not SIP"],
    ["another version", (text) => text.replace("SIP/2.0", "SIP/7.0"), "not SIP"],
    [
      "a required extension that is unknown",
      (text) => text.replace("New-Header", "Proxy-Require"),
      "420 Bad Extension"
    ],
    ["an encoded body", (text) => text.replace("New-Header: whatever", "e: gzip"), "415 Unsupported Media Type"],
    [
      "a body of several parts",
      (text) => text.replace("application/sdp", "multipart/mixed"),
      "415 Unsupported Media Type"
    ],
    ["a NUL in the body", (text) => text.replace("v=0", "v=\0"), "400 Malformed body"],
    ["a NUL in a header", (text) => text.replace("whatever", "what\0ever"), "not SIP"],
    ["a bare line feed", (text) => text.replace("whatever", "what\never"), "not SIP"],
    ["a fold before the first header", (text) => text.replace("TO :", " TO :"), "not SIP"],
    ["no empty line", (text) => text.replace("\r\n\r\n", ""), "not SIP"]
  ]
  for (const [name, change, expected] of rows)
    it(`with ${name} is refused: ${expected}`, () => assert.strictEqual(torture(change), expected))
})
