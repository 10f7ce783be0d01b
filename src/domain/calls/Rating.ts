// What a minute to a destination costs, or why it may not be called (docs/calls.md).
import { Result } from "effect"
import { CallDestinationRefused } from "../errors/CallErrors.ts"
import type { OwnedNumber, Rate } from "../ports/Directory.ts"

export interface Price {
  readonly rate_per_min_minor: number
  readonly matched_prefix: string | null
}

const refused = (reason: string, message: string) => Result.fail(new CallDestinationRefused({ reason, message }))

/** The deck first; a destination in the number's own country falls back to the number's own price. */
export const priceOf = (
  rate: Rate | undefined,
  number: OwnedNumber,
  destination_country: string | null
): Result.Result<Price, CallDestinationRefused> => {
  if (rate?.class === "blocked") return refused("prefix_blocked", "Calls to this prefix are blocked.")
  if (rate !== undefined) {
    return Result.succeed({ rate_per_min_minor: rate.per_min_minor, matched_prefix: rate.prefix })
  }
  if (destination_country === number.country && number.outbound_per_min_minor !== null) {
    return Result.succeed({ rate_per_min_minor: number.outbound_per_min_minor, matched_prefix: null })
  }
  return refused("rate_not_configured", "There is no rate for this destination.")
}
