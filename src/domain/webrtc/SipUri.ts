// SIP URIs (RFC 3261, section 19.1). Only the forms that a call needs are understood: a URI with a password or with
// headers is malformed here.
import { sipLimits } from "./SipSyntax.ts"

export interface SipUri {
  readonly scheme: "sip" | "sips"
  /** The user with its escapes decoded. */
  readonly user: string | undefined
  /** The user as it is written: `,` and `%2C` are not the same (RFC 3261, section 19.1.4). */
  readonly written_user: string | undefined
  readonly host: string
  readonly port: number | undefined
  /** In canonical form, each with its semicolon. */
  readonly parameters: string
}

const user = String.raw`(?:[A-Za-z0-9_.!~*'()&=+$,;?/-]|%[0-9A-Fa-f]{2})+`
const label = String.raw`[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?`
const topLabel = String.raw`[A-Za-z](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?`
const ipv4 = String.raw`\d{1,3}(?:\.\d{1,3}){3}`
const host = String.raw`${ipv4}|(?:${label}\.)*${topLabel}|\[[0-9A-Fa-f:.]{2,45}\]`
const parameterText = String.raw`(?:[A-Za-z0-9_.!~*'()[\]/:&+$-]|%[0-9A-Fa-f]{2})+`
const parameter = String.raw`;${parameterText}(?:=${parameterText})?`
const whole = new RegExp(`^(sips?):(?:(${user})@)?(${host})(?::(\\d{1,5}))?((?:${parameter})*)$`, "i")

const wholeHost = new RegExp(`^(?:${host})$`)
export const isHost = (text: string): boolean => text.length <= sipLimits.word && wholeHost.test(text)

export const isPort = (port: number): boolean => port > 0 && port < 65_536

/** Undefined if the escapes are not UTF-8, or hide a control character. */
const unescaped = (text: string): string | undefined => {
  try {
    const plain = decodeURIComponent(text)
    return /\p{Cc}/u.test(plain) ? undefined : plain
  } catch {
    return undefined
  }
}

const isRepeated = (names: ReadonlyArray<string>): boolean => new Set(names).size < names.length

/** Undefined if the text is not exactly one SIP URI. */
export const parseUri = (text: string): SipUri | undefined => {
  const match = text.length > sipLimits.uri ? null : whole.exec(text)
  if (match === null) return undefined
  const [, scheme = "", userinfo, hostname = "", digits, rest = ""] = match
  const plain = userinfo === undefined ? undefined : unescaped(userinfo)
  const port = digits === undefined ? undefined : Number(digits)
  if ((userinfo !== undefined && plain === undefined) || (port !== undefined && !isPort(port))) return undefined
  const names = rest
    .split(";")
    .slice(1)
    .map((each) => each.replace(/=.*$/s, "").toLowerCase())
  return isRepeated(names)
    ? undefined
    : {
        scheme: scheme.toLowerCase() === "sips" ? "sips" : "sip",
        user: plain,
        written_user: userinfo,
        host: hostname.toLowerCase(),
        port,
        parameters: rest
      }
}

export const printUri = ({ host, parameters, port, scheme, written_user }: SipUri): string =>
  `${scheme}:${written_user === undefined ? "" : `${written_user}@`}${host}${port === undefined ? "" : `:${port}`}${parameters}`

/** A plain URI, without port and parameters. */
export const sipUri = (user: string | undefined, host: string): SipUri => ({
  scheme: "sip",
  user,
  written_user: user === undefined ? undefined : encodeURIComponent(user).replaceAll("%2B", "+"),
  host,
  port: undefined,
  parameters: ""
})
