// What must be going on while a storage is as it is.
import { task, type Work } from "../Decision.ts"
import type { Charge, Storage } from "./Storage.ts"
import type { StorageCommand } from "./StorageCommand.ts"
import { bytesOfTier } from "./Tiers.ts"

export type StorageWork =
  | { readonly _tag: "PayCharge"; readonly charge: Charge }
  | { readonly _tag: "BeginRenewal" }
  | { readonly _tag: "CheckGrace" }
  | { readonly _tag: "CountUsage" }
  /** Recordings that have no room go, the oldest first. */
  | { readonly _tag: "EvictOldest"; readonly size_bytes: number }

const when = (
  wanted: boolean,
  work: () => Work<StorageCommand, StorageWork>
): ReadonlyArray<Work<StorageCommand, StorageWork>> => (wanted ? [work()] : [])

export const planStorage = (storage: Storage): ReadonlyArray<Work<StorageCommand, StorageWork>> => {
  const { charge, check_at, counted, evictions, recounts, renews_at, tier_mb, used_bytes } = storage
  const size_bytes = bytesOfTier(tier_mb)
  return [
    ...when(charge !== null, () => task(`charge:${charge!.entry_id}`, { _tag: "PayCharge", charge: charge! })),
    ...when(charge === null && renews_at !== null, () =>
      task(`renew:${renews_at}`, { _tag: "BeginRenewal" }, renews_at!)
    ),
    ...when(check_at !== null, () => task(`grace:${check_at}`, { _tag: "CheckGrace" }, check_at!)),
    // However many recordings come meanwhile, a count and an eviction that are under way are finished.
    ...when(recounts > counted, () => task(`count:${counted}`, { _tag: "CountUsage" })),
    ...when(used_bytes > size_bytes, () => task(`evict:${evictions}:${tier_mb}`, { _tag: "EvictOldest", size_bytes }))
  ]
}
