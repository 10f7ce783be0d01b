// SIP as a careless peer reads and writes it: the stand-in for a PBX, and what tests ask of a message.

export interface SipMessage {
  /** The request or status line. */
  readonly start: string
  /** Folded lines are joined. Names are as received. */
  readonly headers: ReadonlyArray<readonly [name: string, value: string]>
  readonly body: string
}

const compact: Readonly<Record<string, string>> = {
  f: "from",
  t: "to",
  i: "call-id",
  v: "via",
  m: "contact",
  l: "content-length",
  k: "supported",
  c: "content-type",
  o: "event",
  r: "refer-to"
}

const nameOf = (name: string): string => {
  const lower = name.toLowerCase()
  return compact[lower] ?? lower
}

const startLine = /^(?:[A-Z]{1,20} [^\s]{1,512} SIP\/2\.0|SIP\/2\.0 [1-6]\d\d [^\r\n]*)$/
const headerLine = /^([A-Za-z0-9.!%*_+`'~-]{1,64})[ \t]*:[ \t]*(.*)$/
const headersMax = 100

/** Undefined if the text is not a SIP message. */
export const parseSip = (text: string): SipMessage | undefined => {
  const end = text.indexOf("\r\n\r\n")
  if (end < 0) return undefined
  const [start = "", ...lines] = text
    .slice(0, end)
    .replaceAll(/\r\n[ \t]+/g, " ")
    .split("\r\n")
  if (!startLine.test(start) || lines.length > headersMax) return undefined
  const headers: Array<readonly [string, string]> = []
  for (const line of lines) {
    const [, name, value] = headerLine.exec(line) ?? []
    if (name === undefined || value === undefined || /[\r\n]/.test(line)) return undefined
    headers.push([name, value])
  }
  return { start, headers, body: text.slice(end + 4) }
}

export const printSip = ({ body, headers, start }: SipMessage): string =>
  `${start}\r\n${headers.map(([name, value]) => `${name}: ${value}\r\n`).join("")}\r\n${body}`

export const all = ({ headers }: SipMessage, name: string): ReadonlyArray<string> =>
  headers.filter((header) => nameOf(header[0]) === name).map(([, value]) => value)

export const first = (message: SipMessage, name: string): string => all(message, name)[0] ?? ""

export const isResponse = ({ start }: SipMessage): boolean => start.startsWith("SIP/2.0 ")

/** The method of a request; empty for a response. */
export const methodOf = (message: SipMessage): string =>
  isResponse(message) ? "" : message.start.slice(0, message.start.indexOf(" "))

const address = /^(?:[^<]*<\s*)?sips?:([^@;>?\s]+)@/i

/** The user of a From, To or Contact. A quoted display name may contain anything, so it is removed first. */
export const userOf = (value: string): string | undefined =>
  address.exec(value.trim().replace(/^"(?:[^"\\]|\\.)*"/, ""))?.[1]

export const tagOf = (value: string): string | undefined =>
  /;\s*tag=([^;>\s]+)/i.exec(value.replace(/^"(?:[^"\\]|\\.)*"/, ""))?.[1]

/** The branch of the topmost Via, which identifies the transaction. */
export const branchOf = (message: SipMessage): string => /;\s*branch=([^;,\s]+)/i.exec(first(message, "via"))?.[1] ?? ""

const copied = new Set(["via", "from", "to", "call-id", "cseq"])

/** A response to the request, with the tag `gate` unless the request has one (RFC 3261, section 8.2.6). */
export const respond = (request: SipMessage, status: number, reason: string): string =>
  printSip({
    start: `SIP/2.0 ${status} ${reason}`,
    headers: [
      ...request.headers
        .filter(([name]) => copied.has(nameOf(name)))
        .map(([name, value]) =>
          nameOf(name) === "to" && tagOf(value) === undefined
            ? ([name, `${value};tag=gate`] as const)
            : ([name, value] as const)
        ),
      ["Content-Length", "0"]
    ],
    body: ""
  })
