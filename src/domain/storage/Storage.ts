// A workspace's storage as its actor remembers it. Instants are epoch milliseconds.
import type { Origin } from "../access/Origin.ts"
import type { Failure } from "../errors/Failure.ts"
import type { Currency } from "../wallet/Currency.ts"
import { nextMonth } from "./Months.ts"
import { free_tier_mb } from "./Tiers.ts"

export type TierReason = "customer" | "renewal" | "downgrade" | "past_due"

/** Money that the wallet is being asked for: once, by the id of its entry. */
export interface Charge {
  readonly entry_id: string
  readonly kind: "upgrade" | "renewal"
  readonly tier_mb: number
  /** A month of the size. */
  readonly price_minor: number
  readonly amount_minor: number
  readonly currency: Currency
  readonly begun_at: number
  readonly origin: Origin
}

export interface Storage {
  /** The workspace's. */
  readonly id: string
  readonly tier_mb: number
  /** What a month of it cost when it was last paid. */
  readonly price_minor: number
  /** Null while nothing was ever paid. */
  readonly currency: Currency | null
  /** From the 1st on. */
  readonly pending_tier_mb: number | null
  readonly renews_at: number | null
  readonly past_due_since: number | null
  /** When the wallet is next looked at, while it is past due. */
  readonly check_at: number | null
  readonly charge: Charge | null
  /** How often recordings came or went, and how much of that is in `used_bytes`. */
  readonly recounts: number
  readonly counted: number
  readonly used_bytes: number
  /** How often room was made. */
  readonly evictions: number
  /** The highest mark that the workspace was warned of since there was plenty of room. */
  readonly warned_percent: 0 | 80 | 100
  /** Orders the events about it. */
  readonly sequence: number
}

export type StorageEvent =
  | { readonly _tag: "Scheduled"; readonly at: number; readonly tier_mb: number | null; readonly origin: Origin }
  | { readonly _tag: "ChargeBegun"; readonly charge: Charge }
  | { readonly _tag: "ChargeFailed"; readonly entry_id: string; readonly failure: Failure }
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
  /** A month is paid, from `at` on. */
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

const check_every_ms = 3_600_000

export const freeStorage = (id: string): Storage => ({
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

/** An upgrade is of the month that it was asked for in, however long its money took. */
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
    // Whether everything has room is found out anew.
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
        ? { past_due_since: at, check_at: at + check_every_ms }
        : { past_due_since: null, check_at: null }
      return { ...storage, ...due, price_minor, renews_at: nextMonth(at), charge: null }
    }
    case "StillPastDue":
      return { ...storage, check_at: event.at + check_every_ms }
    case "Recovered":
      return { ...storage, past_due_since: null, check_at: null }
    case "Recounted":
      return { ...storage, recounts: storage.recounts + 1 }
    case "Counted": {
      const { recounts, used_bytes } = event
      const roomy = used_bytes < 0.8 * storage.tier_mb * 1_048_576
      return { ...storage, counted: recounts, used_bytes, warned_percent: roomy ? 0 : storage.warned_percent }
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
