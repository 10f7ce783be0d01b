// A workspace's storage as customers see it (docs/storage.md).
import { Schema } from "effect"
import { Currency } from "../wallet/Currency.ts"

const nullable = Schema.NullOr
const Instant = Schema.String

export const StorageRecord = Schema.Struct({
  tier_mb: Schema.Int.annotate({ description: "How much recordings may take up, in MB of 1,048,576 bytes." }),
  tier_gb: nullable(Schema.Int).annotate({ description: "The same in GB, where it is a whole number of them." }),
  used_bytes: Schema.Int,
  recordings: Schema.Int.annotate({ description: "How many there are." }),
  retention_days: Schema.Int.annotate({ description: "Days for which recordings are kept." }),
  pending_tier_mb: nullable(Schema.Int).annotate({
    description: "The size that it will have from the 1st on, where it was made smaller."
  }),
  pending_reason: nullable(Schema.Literals(["renewal", "downgrade"])),
  renews_at: nullable(Instant).annotate({
    description: "When the next month is paid; null while nothing is to be paid."
  }),
  past_due_since: nullable(Instant).annotate({
    description:
      "Since when the wallet is negative by a renewal. After 72 hours the storage falls back to the free size."
  }),
  price_minor: Schema.Int.annotate({ description: "A month of it, as it was last paid." }),
  currency: nullable(Currency)
}).annotate({ identifier: "Storage" })
export type StorageRecord = typeof StorageRecord.Type

export const TierRequest = Schema.Struct({
  tier_gb: Schema.Int.annotate({ description: "5, 10, 25, 50, 100 or 250." })
}).annotate({ identifier: "StorageTierRequest" })

export const ChangedStorage = Schema.Struct({
  ...StorageRecord.fields,
  charge_minor: Schema.Int.annotate({ description: "What this change has cost." }),
  effective: Schema.Literals(["now", "next_month"])
}).annotate({ identifier: "ChangedStorage" })
export type ChangedStorage = typeof ChangedStorage.Type
