// What a month of storage costs in a sandbox, in minor units. Like its numbers and calls, its storage has the same
// prices in every deployment, so that every size can be tried before an operator has set any price.
import { testPrices } from "../numbers/TestNetwork.ts"
import type { Currency } from "../wallet/Currency.ts"
import { free_tier_mb, tiers_mb } from "./Tiers.ts"

/** A GB costs as many incoming minutes, so that the largest size costs less than a sandbox may be credited. */
const minutesOfGb = 100

/** By size in MB, as operators' prices are. */
export const testStoragePrices = (currency: Currency): Readonly<Record<string, number>> =>
  Object.fromEntries(
    tiers_mb
      .filter((tier_mb) => tier_mb !== free_tier_mb)
      .map((tier_mb) => [tier_mb, (tier_mb / 1024) * minutesOfGb * testPrices[currency].inbound_per_min_minor])
  )
