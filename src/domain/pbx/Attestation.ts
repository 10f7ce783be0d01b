// What the network says of an inbound caller's number (STIR/SHAKEN: RFC 8224, RFC 8588), as a trunk passes it on.
import { Schema } from "effect"

/** `A`, `B`, `C`: the number was validated with this level. `passed`: with a level that the trunk does not tell. */
export const Attestation = Schema.Literals(["A", "B", "C", "passed", "failed", "not_validated"]).annotate({
  identifier: "Attestation",
  description:
    "What the network says of the caller's number (STIR/SHAKEN). `A`, `B`, `C`: validated, with full, partial or gateway attestation. `passed`: validated, level unknown. `failed`: the validation failed. `not_validated`: there was none."
})
export type Attestation = typeof Attestation.Type

/** Headers of an INVITE, as text. */
export interface AttestingHeaders {
  /** The first P-Asserted-Identity; undefined if there is none, or if it does not name the caller. */
  readonly asserted: string | undefined
  readonly from: string | undefined
  /** The first P-Attestation-Indicator. */
  readonly indicator: string | undefined
}

/** No header of a caller who is a number is longer. */
const maxLength = 1_024

/** The values of `verstat` (3GPP TS 24.229), with the levels that carriers add to them, in lower case. */
const byVerstat: ReadonlyMap<string, Attestation> = new Map([
  ["tn-validation-passed", "passed"],
  ["tn-validation-passed-a", "A"],
  ["tn-validation-passed-b", "B"],
  ["tn-validation-passed-c", "C"],
  ["tn-validation-failed", "failed"],
  ["tn-validation-failed-a", "failed"],
  ["tn-validation-failed-b", "failed"],
  ["tn-validation-failed-c", "failed"],
  ["no-tn-validation", "not_validated"]
])

const weakestFirst: ReadonlyArray<Attestation> = ["failed", "not_validated", "passed", "C", "B", "A"]

/** The first address of a header: what is between its angle brackets, and the parameters behind them. */
interface Address {
  readonly uri: string
  readonly parameters: string
}

/**
 * Undefined if it is no address. A display name is the caller's own text, so nothing is read from it. These URIs may
 * have no headers (RFC 3261, section 19.1.1).
 */
const addressOf = (header: string): Address | undefined => {
  if (header.length > maxLength) return undefined
  const unquoted = header.replaceAll(/"(?:[^"\\]|\\.)*"/gs, "")
  if (/["?]/.test(unquoted)) return undefined
  const first = /^[^<>,;]*<([^<>]*)>([^<>,]*)(?:,|$)/s.exec(unquoted)
  if (first !== null) return { uri: first[1] ?? "", parameters: first[2] ?? "" }
  return /[<>]/.test(unquoted) ? undefined : { uri: unquoted.replace(/,.*$/s, ""), parameters: "" }
}

const userOf = ({ uri }: Address): string => /^\s*(?:sips?|tel):([^;@]*)/i.exec(uri)?.[1]?.toLowerCase() ?? ""

/**
 * The attestation of an address. `verstat` is a parameter of the number (TS 24.229); some networks write it behind the
 * host, or behind the brackets. If it is there several times, the weakest counts: a caller may have added one.
 */
const attestationOf = ({ parameters, uri }: Address): Attestation | undefined => {
  const [, ...given] = `${uri};${parameters}`.split(";")
  const found = given.flatMap((parameter) => {
    const verstat = /^\s*verstat\s*=\s*([^\s@]*)\s*(?:@|$)/i.exec(parameter)?.[1]
    return verstat === undefined ? [] : [byVerstat.get(verstat.toLowerCase())]
  })
  return found.includes(undefined) ? undefined : weakestFirst.find((each) => found.includes(each))
}

const withoutUser = ({ uri, ...address }: Address): Address => ({
  ...address,
  uri: uri.replace(/^(\s*sips?:).*@/is, "$1")
})

/**
 * The attestation of From, whose user part the SIP stack has unescaped. So a parameter there may be text that the
 * caller has escaped, which networks that remove parameters let pass: alone, it proves no validation.
 */
const attestationOfCaller = (caller: Address): Attestation | undefined => {
  const all = attestationOf(caller)
  const isWeak = all === "failed" || all === "not_validated"
  return isWeak || attestationOf(withoutUser(caller)) !== undefined ? all : undefined
}

const levelOf = (indicator: string | undefined): Attestation | undefined => {
  const level = /^\s*([abc])\s*;?\s*$/i.exec(indicator ?? "")?.[1]?.toUpperCase()
  return level === "A" || level === "B" || level === "C" ? level : undefined
}

const statedBy = ({ asserted, from }: AttestingHeaders): Attestation | undefined => {
  const caller = from === undefined ? undefined : addressOf(from)
  const own = caller && attestationOfCaller(caller)
  if (asserted === undefined) return own
  const identity = addressOf(asserted)
  if (identity === undefined) return undefined
  const isSameNumber = caller !== undefined && userOf(caller) !== "" && userOf(caller) === userOf(identity)
  return attestationOf(identity) ?? (isSameNumber ? own : undefined)
}

/**
 * The attestation of the number that the call shows: that of P-Asserted-Identity, or of From where it names the same
 * number or is alone. P-Attestation-Indicator only adds the level to a validation that has passed.
 */
export const readAttestation = (headers: AttestingHeaders): Attestation | undefined => {
  const stated = statedBy(headers)
  return stated === "passed" ? (levelOf(headers.indicator) ?? stated) : stated
}
