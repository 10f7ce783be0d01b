// A storage's rules: sizes, their price, the 1st of the month, and what has no room.
import { Result } from "effect"
import { systemOrigin } from "../access/Origin.ts"
import type { Decided } from "../Decision.ts"
import { ServiceUnavailable } from "../errors/GeneralErrors.ts"
import { prorated_minor } from "./Months.ts"
import { type Charge, evolveStorage, type Storage, type StorageEvent } from "./Storage.ts"
import type { StorageCommand, StorageReply } from "./StorageCommand.ts"
import { bytesOfTier, free_tier_mb } from "./Tiers.ts"

type Answer = Decided<StorageEvent, StorageReply>
type CommandOf<Tag extends StorageCommand["_tag"]> = Extract<StorageCommand, { readonly _tag: Tag }>

/** A wallet that a renewal left negative has so long to recover. */
const grace_ms = 72 * 3_600_000

const answered = (reply: StorageReply, ...events: ReadonlyArray<StorageEvent>): Answer =>
  Result.succeed({ events, reply })
const noted = (...events: ReadonlyArray<StorageEvent>): Answer => answered({ _tag: "Noted" }, ...events)

/** What the rest of the month costs. A price that has fallen since is nothing to pay, and nothing to get back. */
const upgrade = (storage: Storage, command: CommandOf<"Switch">, now: number): Answer => {
  const { currency, entry_id, origin, price_minor, tier_mb } = command
  const amount_minor = prorated_minor(Math.max(0, price_minor - storage.price_minor), now)
  if (amount_minor === 0) {
    return answered(
      { _tag: "Switched", charge_minor: 0, effective: "now" },
      {
        _tag: "TierChanged",
        at: now,
        tier_mb,
        price_minor,
        charge_minor: 0,
        currency,
        reason: "customer",
        origin
      }
    )
  }
  const charge: Charge = {
    entry_id,
    kind: "upgrade",
    tier_mb,
    price_minor,
    amount_minor,
    currency,
    begun_at: now,
    origin
  }
  return answered({ _tag: "Charging", entry_id }, { _tag: "ChargeBegun", charge })
}

const switchTier = (storage: Storage, command: CommandOf<"Switch">, now: number): Answer => {
  const { charge } = storage
  const { origin, tier_mb } = command
  if (charge !== null) {
    return charge.kind === "upgrade" && charge.tier_mb === tier_mb
      ? answered({ _tag: "Charging", entry_id: charge.entry_id })
      : Result.fail(new ServiceUnavailable({ message: "Another change of the storage is being paid for." }))
  }
  if (tier_mb > storage.tier_mb) return upgrade(storage, command, now)
  const pending = tier_mb === storage.tier_mb ? null : tier_mb
  const reply: StorageReply = { _tag: "Switched", charge_minor: 0, effective: pending === null ? "now" : "next_month" }
  return pending === storage.pending_tier_mb
    ? answered(reply)
    : answered(reply, { _tag: "Scheduled", at: now, tier_mb: pending, origin })
}

const paidFor = (storage: Storage, charge: Charge, balance_minor: number, at: number): ReadonlyArray<StorageEvent> => {
  const { amount_minor, currency, kind, origin, price_minor, tier_mb } = charge
  const changed: StorageEvent = {
    _tag: "TierChanged",
    at,
    tier_mb,
    price_minor,
    charge_minor: amount_minor,
    currency,
    reason: kind === "upgrade" ? "customer" : "renewal",
    origin
  }
  if (kind === "upgrade") return [changed]
  return [
    ...(tier_mb === storage.tier_mb ? [] : [changed]),
    { _tag: "Renewed", at, price_minor, past_due: balance_minor < 0 }
  ]
}

/** Months that went by while the engine was away are not made up for: one is paid, the present one. */
const renew = (storage: Storage, { entry_id, prices }: CommandOf<"Renew">, now: number): Answer => {
  const { charge, currency, pending_tier_mb, renews_at } = storage
  if (renews_at === null || renews_at > now || charge !== null || currency === null) return noted()
  const tier_mb = pending_tier_mb ?? storage.tier_mb
  const origin = systemOrigin
  if (tier_mb === free_tier_mb) {
    return noted({
      _tag: "TierChanged",
      at: now,
      tier_mb,
      price_minor: 0,
      charge_minor: 0,
      currency,
      reason: "downgrade",
      origin
    })
  }
  const price_minor = prices[tier_mb] ?? storage.price_minor
  const renewal: Charge = {
    entry_id,
    kind: "renewal",
    tier_mb,
    price_minor,
    amount_minor: price_minor,
    currency,
    begun_at: now,
    origin
  }
  return price_minor === 0
    ? noted(...paidFor(storage, renewal, 0, now))
    : noted({ _tag: "ChargeBegun", charge: renewal })
}

/** Another charge than the one under way comes from a fiber that was interrupted too late. */
const settle = (storage: Storage, command: CommandOf<"ChargePaid" | "ChargeRefused">, now: number): Answer => {
  const { charge } = storage
  const { entry_id } = command
  if (charge?.entry_id !== entry_id) return noted()
  return command._tag === "ChargePaid"
    ? noted(...paidFor(storage, charge, command.balance_minor, now))
    : noted({ _tag: "ChargeFailed", entry_id, failure: command.failure })
}

const grace = (
  { charge, currency, past_due_since }: Storage,
  { balance_minor }: CommandOf<"GraceChecked">,
  now: number
): Answer => {
  if (past_due_since === null) return noted()
  if (balance_minor >= 0) return noted({ _tag: "Recovered" })
  if (now < past_due_since + grace_ms || charge !== null) return noted({ _tag: "StillPastDue", at: now })
  return noted({
    _tag: "TierChanged",
    at: now,
    tier_mb: free_tier_mb,
    price_minor: 0,
    charge_minor: 0,
    currency: currency!,
    reason: "past_due",
    origin: systemOrigin
  })
}

const counted = (storage: Storage, { recounts, used_bytes }: CommandOf<"Counted">, now: number): Answer => {
  if (recounts <= storage.counted) return noted()
  const known: StorageEvent = { _tag: "Counted", recounts, used_bytes }
  const size = bytesOfTier(storage.tier_mb)
  const percent = used_bytes >= size ? 100 : used_bytes >= 0.8 * size ? 80 : 0
  const { warned_percent } = evolveStorage(storage, known)
  return percent > warned_percent && percent !== 0
    ? noted(known, { _tag: "UsageHigh", at: now, percent })
    : noted(known)
}

export const decideStorage = (storage: Storage, command: StorageCommand, now: number): Answer => {
  switch (command._tag) {
    case "Switch":
      return switchTier(storage, command, now)
    case "Renew":
      return renew(storage, command, now)
    case "ChargePaid":
    case "ChargeRefused":
      return settle(storage, command, now)
    case "GraceChecked":
      return grace(storage, command, now)
    case "Recount":
      return noted({ _tag: "Recounted" })
    case "Counted":
      return counted(storage, command, now)
    case "Evicted":
      return noted({ ...command, at: now })
  }
}
