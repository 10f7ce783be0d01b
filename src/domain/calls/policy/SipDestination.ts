// Where a workspace may call by SIP: its own extensions, and hosts that its policy allows (docs/voice-actions.md).
import type { Extensions } from "../../credentials/Extension.ts"
import { unpunctuated } from "../../numbers/ReadNumber.ts"
import { type CallingPolicy, allowsSipHost } from "./CallingPolicy.ts"
import type { RefusalReason } from "./Authorisation.ts"

export interface SipUri {
  /** Whether it is a `sips` URI: TLS, with a certificate for the host. */
  readonly secure: boolean
  readonly user: string
  readonly host: string
  readonly port: number | undefined
}

/** An address that a host name has, and the port to send to. The PBX uses it and does not resolve the name again. */
export interface SipAddress {
  readonly ip: string
  readonly port: number
}

export const isSipUri = (to: string): boolean => /^sips?:/i.test(to)

/** Reads a URI of a user and a host; undefined if it is anything else. */
export const readSipUri = (text: string): SipUri | undefined => {
  const [, scheme, user, host, port] = /^(sips?):([^@]+)@([a-z0-9.-]+)(?::(\d{1,5}))?$/i.exec(text) ?? []
  if (scheme === undefined || user === undefined || host === undefined) return undefined
  return { secure: scheme.length === 4, user, host, port: port === undefined ? undefined : Number(port) }
}

export type SipAuthorisation =
  /** `endpoint`: how the PBX knows the devices of an extension. */
  | { readonly ok: true; readonly endpoint: string }
  /** `uri`: a host that the policy allows. */
  | { readonly ok: true; readonly uri: SipUri }
  | { readonly ok: false; readonly reason: RefusalReason }

/** Four digits that are an extension of the workspace mean that extension, whatever the host. */
export const authoriseSip = (
  text: string,
  policy: CallingPolicy,
  extensions: Pick<Extensions, "byDigits">
): SipAuthorisation => {
  const uri = readSipUri(text)
  const own = uri && extensions.byDigits.get(uri.user)
  if (own !== undefined) return { ok: true, endpoint: own.username }
  return uri !== undefined && allowsSipHost(policy, uri.host)
    ? { ok: true, uri }
    : { ok: false, reason: "sip_not_allowed" }
}

/** Digits that a host dials in a telephone network: more than extensions have. */
const telephoneDigits_min = 7

/** The user without escapes, parameters (RFC 3261, section 19.1.1) and separators. */
const dialledBy = (user: string): string => {
  try {
    return unpunctuated(decodeURIComponent(user).split(";", 1)[0] ?? "")
  } catch {
    return user
  }
}

export interface DialledUser {
  readonly text: string
  /**
   * What the host may take for a telephone number, in every spelling that it may mean: `254711000200` is dialled with
   * or without a country code. Empty: the user is a name or an extension.
   */
  readonly readings: ReadonlyArray<string>
}

export const dialledUser = ({ user }: SipUri): DialledUser => {
  const text = dialledBy(user)
  const digits = text.replaceAll(/\D/g, "")
  const isTelephone = /^[+*#\d]+$/.test(text) && (text.includes("+") || digits.length >= telephoneDigits_min)
  if (!isTelephone) return { text, readings: [] }
  return { text, readings: /^[1-9]\d*$/.test(text) ? [`+${text}`, text] : [text] }
}
