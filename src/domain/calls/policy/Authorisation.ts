// Decides whether a workspace may call a destination, and at what price. Used by the destination check, for a new call,
// and for each leg that a call dials (docs/calling-policy.md).
import { isTestNumber } from "../../kit/Sandbox.ts"
import { Schema } from "effect"
import { CallDestinationRefused } from "../../errors/CallErrors.ts"
import type { Rate } from "../../numbers/Rate.ts"
import type { CallingPolicy } from "./CallingPolicy.ts"
import { type Price, type PricedNumber, priceOf } from "./Rating.ts"

const messages = {
  test_numbers_only: "Test mode reaches the numbers of the test network only: +999 and eight digits.",
  emergency_number: "Emergency services cannot be called from here. Use a local phone.",
  rate_not_configured: "There is no rate for this destination.",
  country_not_allowed: "The workspace may not call this country.",
  prefix_blocked: "Calls to this prefix are blocked.",
  high_risk_blocked: "The workspace may not call high-risk or premium destinations.",
  rate_above_limit: "The rate of this destination is above the limit of the workspace.",
  sip_not_allowed: "The workspace has no such extension and may not call this host by SIP.",
  sip_unavailable: "SIP addresses of other hosts cannot be called from here.",
  sip_host_unknown: "The host of the SIP address has no address in DNS.",
  sip_host_refused:
    "The host of the SIP address is not public, or it belongs to the platform, a provider or another workspace.",
  chatapp_unavailable: "The number cannot call in the chat app: its trunk is not active, or its calls are turned off.",
  chatapp_not_permitted: "The user of the chat app has not permitted this number to call, or no longer permits it.",
  chatapp_restricted: "The chat-app provider restricts calls of this number."
}

export const RefusalReason = Schema.Literals([
  "test_numbers_only",
  "emergency_number",
  "rate_not_configured",
  "country_not_allowed",
  "prefix_blocked",
  "high_risk_blocked",
  "rate_above_limit",
  "sip_not_allowed",
  "sip_unavailable",
  "sip_host_unknown",
  "sip_host_refused",
  "chatapp_unavailable",
  "chatapp_not_permitted",
  "chatapp_restricted"
])
export type RefusalReason = typeof RefusalReason.Type

export interface Destination {
  readonly e164: string
  /** ISO 3166-1 alpha-2. Null if the number belongs to no country. */
  readonly country: string | null
}

/** The decision. A refusal includes the destination and the price as far as they are known. */
export type Authorisation =
  | { readonly ok: true; readonly to: Destination; readonly price: Price; readonly high_risk: boolean }
  | { readonly ok: false; readonly reason: RefusalReason; readonly to?: Destination; readonly price?: Price }

/** The refusal of emergency numbers. They are short numbers without country or rate. */
export const emergency: Authorisation = { ok: false, reason: "emergency_number" }

export const refusalMessage = (reason: RefusalReason): string => messages[reason]

/** What a sandbox is told of numbers that ring. */
export const testNumbersOnly = (to: Destination): Authorisation => ({ ok: false, reason: "test_numbers_only", to })

export const destinationRefused = (reason: RefusalReason): CallDestinationRefused =>
  new CallDestinationRefused({ reason, message: messages[reason] })

/** Numbers without a country are refused, except those of the test network, where it can be reached. */
const isAllowedCountry = ({ allowed_countries }: CallingPolicy, { country, e164 }: Destination): boolean =>
  country === null ? isTestNumber(e164) : allowed_countries.includes(country)

const isHighRisk = (rate: Rate | undefined): boolean => rate?.class === "high_risk" || rate?.class === "premium"

/** The first reason why the policy refuses a destination that has a price; otherwise undefined. */
const refusalReason = (
  policy: CallingPolicy,
  to: Destination,
  high_risk: boolean,
  price: Price
): RefusalReason | undefined => {
  const { allow_high_risk, blocked_prefixes, max_rate_per_min_minor } = policy
  if (!isAllowedCountry(policy, to)) return "country_not_allowed"
  if (blocked_prefixes.some((prefix) => to.e164.startsWith(prefix, 1))) return "prefix_blocked"
  if (!allow_high_risk && high_risk) return "high_risk_blocked"
  return max_rate_per_min_minor !== null && price.rate_per_min_minor > max_rate_per_min_minor
    ? "rate_above_limit"
    : undefined
}

/**
 * Decides by rate and policy. A missing rate is reported first, because no change of the policy would help.
 *
 * `platform_rate`: the platform's own rate of the destination, for calls over a workspace's trunk. Its class counts
 * there too, because who pays for a call does not change how risky it is; its price does not.
 */
export const authorise = (
  policy: CallingPolicy,
  from: PricedNumber,
  to: Destination,
  rate: Rate | undefined,
  platform_rate: Rate | undefined = rate
): Authorisation => {
  if (rate?.class === "blocked" || platform_rate?.class === "blocked")
    return { ok: false, reason: "prefix_blocked", to }
  const price = priceOf(rate, from, to.country)
  if (price === undefined) return { ok: false, reason: "rate_not_configured", to }
  const high_risk = isHighRisk(rate) || isHighRisk(platform_rate)
  const reason = refusalReason(policy, to, high_risk, price)
  return reason === undefined ? { ok: true, to, price, high_risk } : { ok: false, reason, to, price }
}
