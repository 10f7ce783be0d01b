// What a minute to a destination costs (docs/calls.md).
import type { OwnedNumber } from "../../numbers/OwnedNumber.ts"
import type { Rate } from "../../numbers/Rate.ts"

/** What a number that calls has to do with the price. */
export type PricedNumber = Pick<OwnedNumber, "country" | "outbound_per_min_minor">

export interface Price {
  readonly rate_per_min_minor: number
  readonly matched_prefix: string | null
}

/**
 * The deck first; a destination in the number's own country falls back to the number's own price. Undefined: unknown.
 */
export const priceOf = (
  rate: Rate | undefined,
  number: PricedNumber,
  destination_country: string | null
): Price | undefined => {
  if (rate !== undefined) return { rate_per_min_minor: rate.per_min_minor, matched_prefix: rate.prefix }
  return destination_country === number.country && number.outbound_per_min_minor !== null
    ? { rate_per_min_minor: number.outbound_per_min_minor, matched_prefix: null }
    : undefined
}
