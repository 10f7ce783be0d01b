// SIP messages as a client, a PBX and an attacker write them.
import type { Choices } from "./Choices.ts"

export interface SipParts {
  readonly start: string
  readonly branch: string
  readonly from: string
  readonly to: string
  readonly call_id: string
  readonly cseq: string
  readonly more?: ReadonlyArray<string>
  readonly body?: string
}

export const writeSip = ({ body = "", branch, call_id, cseq, from, more = [], start, to }: SipParts): string =>
  [
    start,
    `Via: SIP/2.0/WS peer.invalid;branch=${branch}`,
    "Max-Forwards: 70",
    `From: ${from}`,
    `To: ${to}`,
    `Call-ID: ${call_id}`,
    `CSeq: ${cseq}`,
    ...more,
    ...(body === "" ? [] : ["Content-Type: application/sdp"]),
    `Content-Length: ${Buffer.byteLength(body)}`,
    "",
    body
  ].join("\r\n")

/** Texts that have a meaning somewhere in SIP, to be put where they are not expected. */
const splinters = [
  ";tag=t",
  ";tag=",
  ";expires=600",
  ";EXPIRES = 600",
  ";expires=0",
  ";branch=z9hG4bKother",
  "<sip:carrier@pbx>",
  "sip:1001-a@pbx",
  '"<sip:1001-a@pbx>" ',
  "sip:+882161234567@carrier.example",
  "?Replaces=c9",
  "%00",
  "%0d%0a",
  "%2C",
  "\0",
  "\r\n ",
  "\r\n\t,",
  "\r\n",
  "\r\n\r\n",
  "\r",
  "\n",
  "\t",
  " ",
  ",",
  ";",
  "@",
  "<",
  ">",
  '"',
  "\\",
  "*",
  "=",
  "é",
  "\u2028",
  "\ud800"
] as const

const lines = [
  "From: <sip:carrier@pbx>;tag=z",
  "f: <sip:carrier@pbx>;tag=z",
  "t: <sip:carrier@pbx>;tag=t",
  "i: other",
  "l: 0",
  "Content-Length: 7",
  "m: <sip:y@10.0.0.5>;expires=600",
  "Contact: <sip:a&PJSIP/carrier/sip:b@c>",
  "Contact: *",
  "Expires: 0",
  "Expires: 600",
  "Route: <sip:evil.example;lr>",
  "Record-Route: <sip:evil.example;lr>",
  "P-Asserted-Identity: <sip:carrier@pbx>",
  "X-Trunkline-User: carrier",
  "Authorization: Digest x",
  "WWW-Authenticate: Digest x",
  "Replaces: c1;to-tag=t;from-tag=f",
  "r: <sip:carrier@pbx>",
  "Require: replaces",
  "Supported: replaces, timer",
  "x: 90;refresher=uac",
  'Reason: Q.850;cause=26;text="a, b"',
  "User-Agent: x",
  " folded",
  ": nameless",
  "no colon"
] as const

const users = ["1001-a", "carrier", "x", "1001-A", "1001-a%40", "a&PJSIP/carrier/b", "+2542%2C10.0.0.5", ""] as const

const splice = (text: string, at: number, removed: number, added: string): string =>
  text.slice(0, at) + added + text.slice(at + removed)

const onLine = (text: string, choices: Choices, change: (line: string) => string): string => {
  const all = text.split("\r\n")
  const index = choices.below(Math.min(all.length, 16))
  return all.map((line, other) => (other === index ? change(line) : line)).join("\r\n")
}

const mutations: ReadonlyArray<(text: string, choices: Choices) => string> = [
  (text, choices) => splice(text, position(text, choices), 0, choices.of(splinters)),
  (text, choices) => splice(text, position(text, choices), 1 + choices.below(6), choices.of(splinters)),
  (text, choices) => splice(text, position(text, choices), 1 + choices.below(12), ""),
  (text, choices) => splice(text, text.indexOf("\r\n"), 0, `\r\n${choices.of(lines)}`),
  (text, choices) => splice(text, text.lastIndexOf("\r\nContent-Length"), 0, `\r\n${choices.of(lines)}`),
  (text, choices) => onLine(text, choices, (line) => `${line}\r\n${line}`),
  (text, choices) => onLine(text, choices, () => choices.of(lines)),
  (text, choices) => onLine(text, choices, (line) => line.replace(/: ?/, choices.of([" : ", ":\r\n ", ":", ":\t"]))),
  (text, choices) =>
    onLine(text, choices, (line) =>
      line.replace(/[;<>,=]/g, (mark) => choices.of([mark, ` ${mark} `, `\r\n ${mark}`]))
    ),
  (text, choices) => text.replace(/sip:[^@;>]*@/, `sip:${choices.of(users)}@`),
  (text, choices) =>
    text.replace(/Content-Length: \d+/, `Content-Length: ${choices.of(["0", "1", "+0", "99", "-1", "0x0"])}`),
  (text, choices) => text.replace(/<sip:x@/, `<sip:${choices.of(users)}@`),
  (text, choices) => text.replace(/;tag=\w+/, `;tag=${choices.of(["f", "t", "u", "p"])}`),
  (text) => text + text,
  (text) => text.toUpperCase()
]

const position = (text: string, choices: Choices): number =>
  (choices.below(256) * 256 + choices.below(256)) % (text.length + 1)

/** Changes the message none to four times. */
export const mutate = (text: string, choices: Choices): string => {
  let mutated = text
  for (let left = choices.of([0, 1, 0, 1, 2, 4]); left > 0; left--) mutated = choices.of(mutations)(mutated, choices)
  return mutated
}
