// The work that a storage needs in each state.
import { task, type Work } from "../Decision.ts"
import type { Charge, Storage } from "./Storage.ts"
import type { StorageMessage } from "./StorageCommand.ts"
import { keptBytes } from "./Tiers.ts"

export type StorageWork =
  /** Debits the wallet. */
  | { readonly _tag: "PayCharge"; readonly charge: Charge }
  | { readonly _tag: "BeginRenewal" }
  /** Looks whether the wallet has recovered. */
  | { readonly _tag: "CheckGrace" }
  | { readonly _tag: "CountUsage" }
  /** Deletes the oldest recordings until the rest fits. */
  | { readonly _tag: "EvictOldest"; readonly size_bytes: number }

type Works = ReadonlyArray<Work<StorageMessage, StorageWork>>

/** One piece of work if there is a value. */
const ifAny = <A>(value: A | null, work: (value: A) => Works[number]): Works => (value === null ? [] : [work(value)])

export const planStorage = (storage: Storage): Works => {
  const { charge, check_at, counted, evictions, id, recounts, renews_at, tier_mb, used_bytes } = storage
  const size_bytes = keptBytes(id, tier_mb)
  return [
    ...(charge === null
      ? ifAny(renews_at, (at) => task(`renew:${at}`, { _tag: "BeginRenewal" }, at))
      : [task<StorageWork>(`charge:${charge.entry_id}`, { _tag: "PayCharge", charge })]),
    ...ifAny(check_at, (at) => task(`grace:${at}`, { _tag: "CheckGrace" }, at)),
    // The keys do not change when recordings come meanwhile, so a count or an eviction that has begun is finished.
    ...(recounts > counted ? [task<StorageWork>(`count:${counted}`, { _tag: "CountUsage" })] : []),
    ...(used_bytes > size_bytes
      ? [task<StorageWork>(`evict:${evictions}:${tier_mb}`, { _tag: "EvictOldest", size_bytes })]
      : [])
  ]
}
