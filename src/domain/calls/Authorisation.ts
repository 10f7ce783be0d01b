// Whether a workspace may call a destination, and at what price: asked before a call, when it is placed, and of each
// leg that a call dials (docs/calling-policy.md).
import { Schema } from "effect"
import { CallDestinationRefused } from "../errors/CallErrors.ts"
import type { OwnedNumber } from "../numbers/OwnedNumber.ts"
import type { Rate } from "../numbers/Rate.ts"
import type { CallingPolicy } from "./CallingPolicy.ts"
import { type Price, priceOf } from "./Rating.ts"

const messages = {
  emergency_number: "Emergency services cannot be called from here. Use a phone at the place.",
  rate_not_configured: "There is no rate for this destination.",
  country_not_allowed: "The workspace may not call this country.",
  prefix_blocked: "Calls to this prefix are blocked.",
  high_risk_blocked: "The workspace may not call destinations of high risk or at a premium.",
  rate_above_limit: "A minute to this destination costs more than the workspace allows.",
  sip_not_allowed: "The workspace has no such extension, and may not call this host by SIP."
}

export const RefusalReason = Schema.Literals([
  "emergency_number",
  "rate_not_configured",
  "country_not_allowed",
  "prefix_blocked",
  "high_risk_blocked",
  "rate_above_limit",
  "sip_not_allowed"
])
export type RefusalReason = typeof RefusalReason.Type

export interface Destination {
  readonly e164: string
  /** Null where the code belongs to no country. */
  readonly country: string | null
}

/** Of a refused destination is said what is known. */
export type Authorisation =
  | { readonly ok: true; readonly to: Destination; readonly price: Price }
  | { readonly ok: false; readonly reason: RefusalReason; readonly to?: Destination; readonly price?: Price }

/** Emergency services have short numbers: there is nothing to read or to rate. */
export const emergency: Authorisation = { ok: false, reason: "emergency_number" }

export const refusalMessage = (reason: RefusalReason): string => messages[reason]

export const destinationRefused = (reason: RefusalReason): CallDestinationRefused =>
  new CallDestinationRefused({ reason, message: messages[reason] })

/** The test network, read in development alone, is the one place outside of all countries that may be called. */
const mayEnter = ({ allowed_countries }: CallingPolicy, { country, e164 }: Destination): boolean =>
  country === null ? e164.startsWith("+999") : allowed_countries.includes(country)

/** What the policy has against a destination that has a price; the first of its reasons. */
const objection = (
  policy: CallingPolicy,
  to: Destination,
  rate: Rate | undefined,
  price: Price
): RefusalReason | undefined => {
  const { allow_high_risk, blocked_prefixes, max_rate_per_min_minor } = policy
  if (!mayEnter(policy, to)) return "country_not_allowed"
  if (blocked_prefixes.some((prefix) => to.e164.startsWith(prefix, 1))) return "prefix_blocked"
  if (!allow_high_risk && (rate?.class === "high_risk" || rate?.class === "premium")) return "high_risk_blocked"
  return max_rate_per_min_minor !== null && price.rate_per_min_minor > max_rate_per_min_minor
    ? "rate_above_limit"
    : undefined
}

/** That there is no rate is said first: no change of the policy would help. */
export const authorise = (
  policy: CallingPolicy,
  from: OwnedNumber,
  to: Destination,
  rate: Rate | undefined
): Authorisation => {
  if (rate?.class === "blocked") return { ok: false, reason: "prefix_blocked", to }
  const price = priceOf(rate, from, to.country)
  if (price === undefined) return { ok: false, reason: "rate_not_configured", to }
  const reason = objection(policy, to, rate, price)
  return reason === undefined ? { ok: true, to, price } : { ok: false, reason, to, price }
}
