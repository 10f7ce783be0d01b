// The prices that operators set: for a month of each tier, in each currency.
import { Schema } from "effect"
import { Currency } from "../wallet/Currency.ts"
import { free_tier_mb, tiers_mb } from "./Tiers.ts"

export const StoragePrice = Schema.Struct({
  currency: Currency,
  tier_mb: Schema.Literals(tiers_mb.filter((tier_mb) => tier_mb !== free_tier_mb)).annotate({
    description: "The size, in MiB."
  }),
  monthly_price_minor: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }))
}).annotate({ identifier: "StoragePrice" })
export type StoragePrice = typeof StoragePrice.Type

/** If a tier and currency is named twice, the later price counts. */
export const StoragePricesRequest = Schema.Struct({
  prices: Schema.Array(StoragePrice).check(Schema.isBetweenLength(1, 100))
}).annotate({ identifier: "StoragePricesRequest" })

export const TierAssignment = Schema.Struct({
  tier_mb: Schema.Int.annotate({ description: "Any tier, including those that are not sold." })
}).annotate({ identifier: "StorageTierAssignment" })
