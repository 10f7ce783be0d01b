// Divides a frame into start line, headers and body (RFC 3261, section 7). One frame is one message (RFC 7118).
import { sipLimits } from "./SipSyntax.ts"

export interface SipText {
  readonly start: string
  /** Long names in lower case, unfolded values. */
  readonly headers: ReadonlyArray<readonly [name: string, value: string]>
  readonly body: string
}

/** RFC 3261, section 7.3.3, and the registry of SIP headers. */
const compactForms: ReadonlyMap<string, string> = new Map(
  Object.entries({
    a: "accept-contact",
    b: "referred-by",
    c: "content-type",
    d: "request-disposition",
    e: "content-encoding",
    f: "from",
    i: "call-id",
    j: "reject-contact",
    k: "supported",
    l: "content-length",
    m: "contact",
    n: "identity-info",
    o: "event",
    r: "refer-to",
    s: "subject",
    t: "to",
    u: "allow-events",
    v: "via",
    x: "session-expires",
    y: "identity"
  })
)

const longName = (name: string): string => {
  const lower = name.toLowerCase()
  return compactForms.get(lower) ?? lower
}

const startLine = /^(?:[A-Z]{1,20} [^ ]+ SIP\/2\.0|SIP\/2\.0 [1-6]\d\d [^\p{Cc}]*)$/u
const headerLine = /^([A-Za-z0-9.!%*_+`'~-]{1,64}) *: *([^\p{Cc}]*?) *$/u
const fold = /\r\n[ \t]+/g

const lexHeader = (line: string): readonly [string, string] | undefined => {
  const match = headerLine.exec(line)
  if (match === null) return undefined
  const [, name = "", value = ""] = match
  return value.length > sipLimits.header ? undefined : [longName(name), value]
}

/** Undefined if the text is not a SIP message. The length of the body is not checked here. */
export const lexSip = (text: string): SipText | undefined => {
  const end = text.indexOf("\r\n\r\n")
  if (end < 0) return undefined
  const [start = "", ...lines] = text.slice(0, end).replaceAll(fold, " ").replaceAll("\t", " ").split("\r\n")
  if (!startLine.test(start) || start.length > sipLimits.header || lines.length > sipLimits.headers) return undefined
  const headers: Array<readonly [string, string]> = []
  for (const line of lines) {
    const header = lexHeader(line)
    if (header === undefined) return undefined
    headers.push(header)
  }
  return { start, headers, body: text.slice(end + 4) }
}

/** The method of a request, as the gate reads it. Undefined for a response, and for what is not SIP or too long. */
export const methodOf = (frame: string): string | undefined => {
  const text = frame.length > sipLimits.message ? undefined : lexSip(frame)
  return text === undefined || isResponse(text) ? undefined : text.start.split(" ", 1)[0]
}

/** A keep-alive is lines without text (RFC 5626, section 4.4.1). */
export const keepAlive = { ping: "\r\n\r\n", pong: "\r\n" } as const
export const isKeepAlive = (text: string): boolean => /^(?:\r\n){1,16}$/.test(text)

/** The bytes of the text in UTF-8. */
export const utf8Length = (text: string): number => {
  let bytes = 0
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0
    bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x1_0000 ? 3 : 4
  }
  return bytes
}

export const valuesOf = ({ headers }: SipText, name: string): ReadonlyArray<string> =>
  headers.flatMap(([own, value]) => (own === name ? [value] : []))

export const isResponse = ({ start }: SipText): boolean => start.startsWith("SIP/2.0 ")
