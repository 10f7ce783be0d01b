// The headers that the WebRTC gate lets through besides those that carry a dialog. Each is understood and printed
// anew; a header that is not in this table does not pass, whatever it says.
import {
  listOf,
  parameters,
  parseNumber,
  patterns,
  printParameters,
  type Scanner,
  sipLimits,
  tokenList,
  wholly
} from "./SipSyntax.ts"

/** The requests that pass. */
export const sipMethods = ["REGISTER", "INVITE", "ACK", "BYE", "CANCEL", "PRACK", "UPDATE", "INFO", "OPTIONS"] as const
export type SipMethod = (typeof sipMethods)[number]
export const isMethod = (name: string): name is SipMethod => sipMethods.some((method) => method === name)

/** The extensions of SIP that pass. Not `replaces`, which takes over a call, and not `from-change`. */
const extensions = new Set(["100rel", "gruu", "ice", "outbound", "timer", "trickle-ice"])

export const isExtension = (tag: string): boolean => extensions.has(tag.toLowerCase())

type Understand = (value: string) => string | undefined

const tokensAmong =
  (isListed: (token: string) => boolean): Understand =>
  (value) =>
    value === "" ? "" : tokenList(value)?.filter(isListed).join(", ")

const number: Understand = (value) => parseNumber(value)?.toString()

const words: Understand = (value) => value.slice(0, sipLimits.word).trim()

const rack: Understand = (value) => {
  const match = /^(\d{1,10}) +(\d{1,10}) +([A-Z]{1,20})$/.exec(value)
  return match === null ? undefined : `${Number(match[1])} ${Number(match[2])} ${match[3]}`
}

/** `90;refresher=uac` (RFC 4028). */
const session = wholly((scanner: Scanner) => {
  const seconds = parseNumber(scanner.take(patterns.digits) ?? "")
  const found = parameters(scanner)
  if (seconds === undefined || found === undefined) return undefined
  const refresher = found.get("refresher")?.toLowerCase()
  return `${seconds}${refresher === "uac" || refresher === "uas" ? `;refresher=${refresher}` : ""}`
})

/** `Q.850;cause=26;text="Answered elsewhere"` (RFC 3326). */
const reasons = wholly(
  listOf((scanner: Scanner) => {
    const protocol = scanner.take(patterns.token)
    const found = parameters(scanner)
    return protocol && found && protocol + printParameters(found)
  })
)

interface Field {
  readonly name: string
  /** Several headers of this name are one list. */
  readonly isList: boolean
  readonly understand: Understand
}
const single = (name: string, understand: Understand): Field => ({ name, isList: false, understand })
const list = (name: string, understand: Understand): Field => ({ name, isList: true, understand })

/** By lower-case name. */
const fields = new Map(
  [
    list("Allow", tokensAmong(isMethod)),
    list("Supported", tokensAmong(isExtension)),
    list("Require", tokensAmong(isExtension)),
    list(
      "Unsupported",
      tokensAmong(() => true)
    ),
    list("Reason", (value) => reasons(value)?.join(", ")),
    single("Session-Expires", session),
    single("Min-SE", (value) => session(value)?.split(";", 1)[0]),
    single("Min-Expires", number),
    single("Retry-After", (value) => number(value.replace(/[ ;(].*$/s, ""))),
    single("RSeq", number),
    single("RAck", rack),
    single("User-Agent", words),
    single("Server", words)
  ].map((field) => [field.name.toLowerCase(), field])
)

export interface PrintedField {
  readonly name: string
  readonly value: string
}

/**
 * The listed headers, printed anew, in their order, and the names of those that are malformed. An empty list is left
 * out.
 */
export const understandFields = (
  headers: ReadonlyArray<readonly [name: string, value: string]>
): { readonly understood: ReadonlyArray<PrintedField>; readonly malformed: ReadonlyArray<string> } => {
  const values = new Map<string, Array<string>>()
  for (const [name, value] of headers) if (fields.has(name)) values.set(name, [...(values.get(name) ?? []), value])
  const understood: Array<PrintedField> = []
  const malformed: Array<string> = []
  for (const [key, all] of values) {
    const field = fields.get(key)
    if (field === undefined) continue
    const { isList, name, understand } = field
    const value = all.length > 1 && !isList ? undefined : understand(all.join(", "))
    if (value === undefined) malformed.push(name)
    else if (value !== "") understood.push({ name, value })
  }
  return { understood, malformed }
}

/** The types of body that pass. */
const bodyTypes = new Set([
  "application/sdp",
  "application/dtmf",
  "application/dtmf-relay",
  "application/media_control+xml",
  "application/trickle-ice-sdpfrag"
])

/** The listed media type without its parameters; undefined if it is malformed or not listed. */
export const bodyType = (value: string): string | undefined => {
  const type = wholly((scanner: Scanner) => {
    const name = scanner.take(/[A-Za-z0-9.!%*_+`'~-]+ *\/ *[A-Za-z0-9.!%*_+`'~-]+/y)
    return parameters(scanner) && name?.replaceAll(" ", "").toLowerCase()
  })(value)
  return type !== undefined && bodyTypes.has(type) ? type : undefined
}
