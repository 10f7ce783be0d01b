// A workspace's storage as customers see it (docs/storage.md).
import { Schema } from "effect"
import { IsoInstant, orNull } from "../kit/Fields.ts"
import { Currency } from "../wallet/Currency.ts"

export const StorageRecord = Schema.Struct({
  tier_mb: Schema.Int.annotate({ description: "The size of the tier, in MB of 1,048,576 bytes." }),
  tier_gb: orNull(Schema.Int).annotate({ description: "The size in GB; null if it is not a whole number." }),
  used_bytes: Schema.Int,
  recordings: Schema.Int.annotate({ description: "The number of stored recordings." }),
  retention_days: Schema.Int.annotate({ description: "How many days recordings are kept." }),
  pending_tier_mb: orNull(Schema.Int).annotate({
    description: "The smaller tier that takes effect on the 1st."
  }),
  pending_reason: orNull(Schema.Literals(["renewal", "downgrade"])),
  renews_at: orNull(IsoInstant).annotate({
    description: "When the next month is charged; null if nothing is due."
  }),
  past_due_since: orNull(IsoInstant).annotate({
    description: "When a renewal made the wallet negative. After 72 hours the storage falls back to the free tier."
  }),
  price_minor: Schema.Int.annotate({ description: "The price of a month of the tier when it was last paid." }),
  currency: orNull(Currency)
}).annotate({ identifier: "Storage" })
export type StorageRecord = typeof StorageRecord.Type

export const TierRequest = Schema.Struct({
  tier_gb: Schema.Int.annotate({ description: "5, 10, 25, 50, 100 or 250." })
}).annotate({ identifier: "StorageTierRequest" })

export const ChangedStorage = Schema.Struct({
  ...StorageRecord.fields,
  charge_minor: Schema.Int.annotate({ description: "The charge for this change." }),
  effective: Schema.Literals(["now", "next_month"])
}).annotate({ identifier: "ChangedStorage" })
export type ChangedStorage = typeof ChangedStorage.Type

/** The space that the available recordings of a workspace use. */
export interface RecordingUsage {
  readonly used_bytes: number
  readonly recordings: number
}
