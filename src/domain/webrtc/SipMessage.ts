// What the WebRTC gate understands of a SIP message, and how it prints one. Nothing is copied from one to the other:
// a header that is not read here does not pass.
import { Result } from "effect"
import { parseAddresses, parseParty, parseVias, type Party, type SipAddress, type Via } from "./SipAddress.ts"
import { bodyType, isExtension, type PrintedField, understandFields } from "./SipFields.ts"
import { isResponse, type SipText, utf8Length, valuesOf } from "./SipLexer.ts"
import { isCallId, isToken, parseNumber, tokenList } from "./SipSyntax.ts"
import { parseUri, type SipUri } from "./SipUri.ts"

interface Common {
  /** The topmost first; at least one. */
  readonly via: Via
  readonly vias: ReadonlyArray<Via>
  readonly from: Party
  readonly to: Party
  readonly call_id: string
  readonly cseq: number
  readonly method: string
  readonly contacts: "*" | ReadonlyArray<SipAddress>
  readonly record_routes: ReadonlyArray<SipAddress>
  readonly max_forwards: number
  readonly expires: number | undefined
  readonly fields: ReadonlyArray<PrintedField>
  readonly body: { readonly type: string; readonly text: string } | undefined
}

export interface SipRequest extends Common {
  readonly _tag: "Request"
  readonly uri: SipUri
}

export interface SipResponse extends Common {
  readonly _tag: "Response"
  readonly status: number
  readonly reason: string
  readonly challenges: ReadonlyArray<string>
}

export type SipMessage = SipRequest | SipResponse

/** Why a message is not accepted, as the status and reason of a response. */
export interface Refusal {
  readonly status: number
  readonly reason: string
  readonly unsupported?: string
}
const refused = (status: number, reason: string): Result.Result<never, Refusal> => Result.fail({ status, reason })
const malformed = (what: string) => refused(400, `Malformed ${what}`)

/** The value of a header that must be there once. */
const once = <A>(text: SipText, name: string, parse: (value: string) => A | undefined): Result.Result<A, Refusal> => {
  const [value, ...others] = valuesOf(text, name)
  const parsed = value === undefined || others.length > 0 ? undefined : parse(value)
  return parsed === undefined ? malformed(name) : Result.succeed(parsed)
}

/** The value of a header that may be absent. */
const maybe = <A>(
  text: SipText,
  name: string,
  parse: (value: string) => A | undefined
): Result.Result<A | undefined, Refusal> =>
  valuesOf(text, name).length === 0 ? Result.succeed(undefined) : once(text, name, parse)

/** The addresses of all headers with this name. */
const addresses = (text: SipText, name: string): Result.Result<ReadonlyArray<SipAddress>, Refusal> => {
  const values = valuesOf(text, name)
  if (values.length === 0) return Result.succeed([])
  const parsed = parseAddresses(values.join(", "))
  return parsed === undefined ? malformed(name) : Result.succeed(parsed)
}

const parseCSeq = (value: string): { readonly cseq: number; readonly method: string } | undefined => {
  const match = /^(\d{1,10}) +([^ ]+)$/.exec(value)
  const [, digits = "", method = ""] = match ?? []
  const cseq = parseNumber(digits)
  return cseq === undefined || !isToken(method) ? undefined : { cseq, method }
}

const isText = (body: string): boolean => !/[^\P{Cc}\r\n\t]/u.test(body)

const readBody = (text: SipText): Result.Result<Common["body"], Refusal> =>
  Result.gen(function* () {
    const bytes = utf8Length(text.body)
    const length = yield* maybe(text, "content-length", parseNumber)
    if (length !== undefined && length !== bytes)
      return yield* refused(400, "Content-Length is not the length of the body")
    if (valuesOf(text, "content-encoding").length > 0) return yield* refused(415, "Unsupported Media Type")
    const written = yield* maybe(text, "content-type", (value) => value)
    if (bytes === 0) return undefined
    if (written === undefined || !isText(text.body)) return yield* malformed("body")
    const type = bodyType(written)
    return type === undefined ? yield* refused(415, "Unsupported Media Type") : { type, text: text.body }
  })

type StatusLine = Pick<SipResponse, "_tag" | "status" | "reason" | "challenges">
type RequestLine = Pick<SipRequest, "_tag" | "uri">

const readStart = (text: SipText): Result.Result<RequestLine | StatusLine, Refusal> => {
  if (isResponse(text))
    return Result.succeed({
      _tag: "Response",
      status: Number(text.start.slice(8, 11)),
      reason: text.start.slice(12, 112).replaceAll(/[^A-Za-z0-9;/?:@&=+$,_.!~*'() -]/g, ""),
      challenges: [...valuesOf(text, "www-authenticate"), ...valuesOf(text, "proxy-authenticate")]
    })
  const [, written = ""] = text.start.split(" ")
  const uri = parseUri(written)
  if (uri !== undefined) return Result.succeed({ _tag: "Request", uri })
  return /^sip:/i.test(written) ? malformed("request URI") : refused(416, "Unsupported URI Scheme")
}

const checkRequire = (text: SipText): Result.Result<void, Refusal> => {
  const required = [...valuesOf(text, "require"), ...valuesOf(text, "proxy-require")]
  const tags = required.length === 0 ? [] : tokenList(required.join(", "))
  if (tags === undefined) return malformed("require")
  const unsupported = tags.filter((tag) => !isExtension(tag)).join(", ")
  return unsupported === "" ? Result.void : Result.fail({ status: 420, reason: "Bad Extension", unsupported })
}

/**
 * Understands a message, or says why it cannot be. `isLenient`: leaves out optional headers that are malformed, as is
 * right for a PBX, which expects no refusal.
 */
export const understand = (text: SipText, isLenient = false): Result.Result<SipMessage, Refusal> =>
  Result.gen(function* () {
    const start = yield* readStart(text)
    const vias = yield* once({ ...text, headers: [["via", valuesOf(text, "via").join(", ")]] }, "via", (value) =>
      parseVias(value)
    )
    const [via] = vias
    if (via === undefined) return yield* malformed("via")
    const { cseq, method } = yield* once(text, "cseq", parseCSeq)
    const star = valuesOf(text, "contact")
    const fields = understandFields(text.headers)
    const [badField] = fields.malformed
    if (!isLenient) {
      yield* checkRequire(text)
      if (badField !== undefined) return yield* malformed(badField)
    }
    const from = yield* once(text, "from", parseParty)
    if (from.tag === undefined) return yield* malformed("from")
    const common: Common = {
      via,
      vias,
      from,
      to: yield* once(text, "to", parseParty),
      call_id: yield* once(text, "call-id", (value) => (isCallId(value) ? value : undefined)),
      cseq,
      method,
      contacts: star.length === 1 && star[0] === "*" ? "*" : yield* addresses(text, "contact"),
      record_routes: yield* addresses(text, "record-route"),
      max_forwards: (yield* maybe(text, "max-forwards", parseNumber)) ?? 70,
      expires: yield* maybe(text, "expires", parseNumber),
      fields: fields.understood,
      body: yield* readBody(text)
    }
    if (start._tag === "Request" && text.start.split(" ", 1)[0] !== method) return yield* malformed("cseq")
    return { ...start, ...common }
  })

/** Headers in the order in which they are printed. A header without a value is left out. */
export type Headers = ReadonlyArray<readonly [name: string, value: string | undefined]>

export const printSip = (start: string, headers: Headers, body: Common["body"]): string =>
  [
    start,
    ...headers.flatMap(([name, value]) => (value === undefined ? [] : [`${name}: ${value}`])),
    ...(body === undefined ? [] : [`Content-Type: ${body.type}`]),
    `Content-Length: ${body === undefined ? 0 : utf8Length(body.text)}`,
    "",
    body?.text ?? ""
  ].join("\r\n")

const repeated = ["Via", "From", "To", "Call-ID", "CSeq"] as const

/**
 * A refusal of a request that was not understood. It repeats what its sender wrote, and goes to nobody else
 * (RFC 3261, section 8.2.6).
 */
export const refuseText = (text: SipText, { reason, status, unsupported }: Refusal): string =>
  printSip(
    `SIP/2.0 ${status} ${reason}`,
    [
      ...repeated.map((name) => {
        const values = valuesOf(text, name.toLowerCase())
        const value = name === "Via" ? values.join(", ") : values[0]
        const isUntagged = name === "To" && value !== undefined && !/tag=/i.test(value)
        return [name, isUntagged ? `${value};tag=gate` : value === "" ? undefined : value] as const
      }),
      ["Unsupported", unsupported]
    ],
    undefined
  )
