// The state of a workspace's storage.
import { Schema } from "effect"
import { Origin } from "../access/Origin.ts"
import { Count, EpochMs, Minor, orNull } from "../kit/Fields.ts"
import { storedState } from "../state/StoredState.ts"
import { Currency } from "../wallet/Currency.ts"
import { nextMonth } from "./Months.ts"
import type { ChargeRefusal } from "./StorageCommand.ts"
import { free_tier_mb, keptBytes } from "./Tiers.ts"
import { WorkspaceId } from "../BrandedIds.ts"

export type TierReason = "customer" | "renewal" | "downgrade" | "past_due"

/** A debit of the wallet that is under way. The id of its ledger entry makes it happen once. */
const Charge = Schema.Struct({
  entry_id: Schema.String,
  kind: Schema.Literals(["upgrade", "renewal"]),
  tier_mb: Schema.Int,
  /** For a month of the tier. */
  price_minor: Minor,
  amount_minor: Minor,
  currency: Currency,
  begun_at: EpochMs,
  origin: Origin
})
export type Charge = typeof Charge.Type

/** The state of a workspace's storage. Checks of the database read `tier_mb`, `renews_at` and `charge` in SQL. */
export const Storage = Schema.Struct({
  /** The workspace's id. */
  id: WorkspaceId,
  tier_mb: Schema.Int,
  /** What a month of the tier cost when it was last paid. */
  price_minor: Minor,
  /** Null until the first payment. */
  currency: orNull(Currency),
  /** The tier from the 1st on, if it changes. */
  pending_tier_mb: orNull(Schema.Int),
  renews_at: orNull(EpochMs),
  past_due_since: orNull(EpochMs),
  /** When to look at the wallet next. Null unless the storage is past due. */
  check_at: orNull(EpochMs),
  charge: orNull(Charge),
  /** How many times a recording was added or removed. */
  recounts: Count,
  /** How many of these changes `used_bytes` includes. */
  counted: Count,
  used_bytes: Schema.Int,
  /** How many times recordings were deleted to make room. */
  evictions: Count,
  /** The highest mark that was announced since the usage was last below 80 %. */
  warned_percent: Schema.Literals([0, 80, 100]),
  /** The number of the storage's latest webhook event. */
  sequence: Count
})
export type Storage = typeof Storage.Type

export const storageState = storedState({
  schema: Storage,
  // Evictions were not counted at first.
  upgrades: [(stored) => ({ evictions: 0, ...stored })]
})

export const restoreStorage = storageState.restore((stored): Storage => stored)

export type StorageEvent =
  | { readonly _tag: "Scheduled"; readonly at: number; readonly tier_mb: number | null; readonly origin: Origin }
  | { readonly _tag: "ChargeBegun"; readonly charge: Charge }
  | { readonly _tag: "ChargeFailed"; readonly entry_id: string; readonly failure: ChargeRefusal }
  | {
      readonly _tag: "TierChanged"
      readonly at: number
      readonly tier_mb: number
      readonly price_minor: number
      readonly charge_minor: number
      readonly currency: Currency
      readonly reason: TierReason
      readonly origin: Origin
    }
  /** A month was paid, beginning at `at`. */
  | { readonly _tag: "Renewed"; readonly at: number; readonly price_minor: number; readonly past_due: boolean }
  | { readonly _tag: "StillPastDue"; readonly at: number }
  | { readonly _tag: "Recovered" }
  | { readonly _tag: "Recounted" }
  | { readonly _tag: "Counted"; readonly recounts: number; readonly used_bytes: number }
  | { readonly _tag: "UsageHigh"; readonly at: number; readonly percent: 80 | 100 }
  | {
      readonly _tag: "Evicted"
      readonly at: number
      readonly recordings: number
      readonly freed_bytes: number
      readonly used_bytes: number
    }

const checkInterval_ms = 3_600_000

export const freeStorage = (id: WorkspaceId): Storage => ({
  id,
  tier_mb: free_tier_mb,
  price_minor: 0,
  currency: null,
  pending_tier_mb: null,
  renews_at: null,
  past_due_since: null,
  check_at: null,
  charge: null,
  recounts: 0,
  counted: 0,
  used_bytes: 0,
  evictions: 0,
  warned_percent: 0,
  sequence: 0
})

/** The highest mark, in percent of the tier, that this usage has reached. */
export const usageMark = ({ id, tier_mb }: Storage, used_bytes: number): Storage["warned_percent"] => {
  const size_bytes = keptBytes(id, tier_mb)
  if (used_bytes >= size_bytes) return 100
  return used_bytes >= 0.8 * size_bytes ? 80 : 0
}

/** An upgrade is paid until the end of the month in which it was requested, however long the payment took. */
const tierChanged = (storage: Storage, event: Extract<StorageEvent, { readonly _tag: "TierChanged" }>): Storage => {
  const { at, currency, price_minor, tier_mb } = event
  const free = tier_mb === free_tier_mb
  return {
    ...storage,
    tier_mb,
    price_minor,
    currency,
    pending_tier_mb: null,
    renews_at: free ? null : (storage.renews_at ?? nextMonth(storage.charge?.begun_at ?? at)),
    ...(free && { past_due_since: null, check_at: null }),
    charge: null,
    // The usage is counted again, because it may not fit the new tier.
    recounts: storage.recounts + 1
  }
}

export const evolveStorage = (storage: Storage, event: StorageEvent): Storage => {
  switch (event._tag) {
    case "Scheduled":
      return { ...storage, pending_tier_mb: event.tier_mb }
    case "ChargeBegun":
      return { ...storage, charge: event.charge }
    case "ChargeFailed":
      return { ...storage, charge: null }
    case "TierChanged":
      return { ...tierChanged(storage, event), sequence: storage.sequence + 1 }
    case "Renewed": {
      const { at, past_due, price_minor } = event
      const due = past_due
        ? { past_due_since: at, check_at: at + checkInterval_ms }
        : { past_due_since: null, check_at: null }
      return { ...storage, ...due, price_minor, renews_at: nextMonth(at), charge: null }
    }
    case "StillPastDue":
      return { ...storage, check_at: event.at + checkInterval_ms }
    case "Recovered":
      return { ...storage, past_due_since: null, check_at: null }
    case "Recounted":
      return { ...storage, recounts: storage.recounts + 1 }
    case "Counted": {
      const { recounts, used_bytes } = event
      const warned_percent = usageMark(storage, used_bytes) === 0 ? 0 : storage.warned_percent
      return { ...storage, counted: recounts, used_bytes, warned_percent }
    }
    case "UsageHigh":
      return { ...storage, warned_percent: event.percent, sequence: storage.sequence + 1 }
    case "Evicted":
      return {
        ...storage,
        used_bytes: event.used_bytes,
        evictions: storage.evictions + 1,
        recounts: storage.recounts + 1,
        sequence: event.recordings === 0 ? storage.sequence : storage.sequence + 1
      }
  }
}
