// The rules of a workspace's storage: its tiers, their prices, the renewal on the 1st of the month, and full storage.
import { Result } from "effect"
import { systemOrigin } from "../access/Origin.ts"
import { decideBy, refuse, type Rules } from "../Command.ts"
import { ServiceUnavailable } from "../errors/GeneralErrors.ts"
import { prorated_minor } from "./Months.ts"
import { type Charge, evolveStorage, type Storage, type StorageEvent, usageMark } from "./Storage.ts"
import type { StorageCommands, StorageMessage, Switched } from "./StorageCommand.ts"
import { free_tier_mb } from "./Tiers.ts"

type StorageRules = Rules<Storage, StorageCommands, StorageEvent>

/** How long a wallet that a renewal made negative has to recover. */
const gracePeriod_ms = 72 * 3_600_000

const happened = (...events: ReadonlyArray<StorageEvent>) => Result.succeed({ events, reply: undefined })
const nothing = happened()

const switched = (effective: Switched["effective"], ...events: ReadonlyArray<StorageEvent>) =>
  Result.succeed({ events, reply: { _tag: "Switched", charge_minor: 0, effective } as const })

const charging = (entry_id: string, ...events: ReadonlyArray<StorageEvent>) =>
  Result.succeed({ events, reply: { _tag: "Charging", entry_id } as const })

/**
 * Charges for the rest of the month. If the price has fallen since the last payment, nothing is due and nothing is
 * refunded. A month that has begun is renewed first: the renewal charges the whole price of the size that it finds, so
 * the difference would be charged twice.
 */
const upgrade = (storage: Storage, command: StorageMessage<"Switch">, now: number) => {
  const { currency, entry_id, origin, price_minor, tier_mb } = command
  if (storage.renews_at !== null && storage.renews_at <= now)
    return refuse(new ServiceUnavailable({ message: "The month that has begun is being paid for." }))
  const amount_minor = prorated_minor(Math.max(0, price_minor - storage.price_minor), now)
  const terms = { tier_mb, price_minor, currency, origin }
  return amount_minor === 0
    ? switched("now", { _tag: "TierChanged", at: now, charge_minor: 0, reason: "customer", ...terms })
    : charging(entry_id, {
        _tag: "ChargeBegun",
        charge: { entry_id, kind: "upgrade", amount_minor, begun_at: now, ...terms }
      })
}

const switchTier: StorageRules["Switch"] = (storage, command, now) => {
  const { charge } = storage
  const { origin, tier_mb } = command
  if (charge !== null) {
    return charge.kind === "upgrade" && charge.tier_mb === tier_mb
      ? charging(charge.entry_id)
      : refuse(new ServiceUnavailable({ message: "Another change of the storage is being paid for." }))
  }
  if (tier_mb > storage.tier_mb) return upgrade(storage, command, now)
  const pending = tier_mb === storage.tier_mb ? null : tier_mb
  const effective = pending === null ? "now" : "next_month"
  return pending === storage.pending_tier_mb
    ? switched(effective)
    : switched(effective, { _tag: "Scheduled", at: now, tier_mb: pending, origin })
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

/** A fall back to the free tier, which costs nothing. */
const backToFree = (currency: Charge["currency"], reason: "downgrade" | "past_due", at: number): StorageEvent => ({
  _tag: "TierChanged",
  at,
  tier_mb: free_tier_mb,
  price_minor: 0,
  charge_minor: 0,
  currency,
  reason,
  origin: systemOrigin
})

/** Only the present month is charged, although several may have begun while the engine was down. */
const renew: StorageRules["Renew"] = (storage, { entry_id, prices }, now) => {
  const { charge, currency, pending_tier_mb, renews_at } = storage
  if (renews_at === null || renews_at > now || charge !== null || currency === null) return nothing
  const tier_mb = pending_tier_mb ?? storage.tier_mb
  if (tier_mb === free_tier_mb) return happened(backToFree(currency, "downgrade", now))
  const price_minor = prices[tier_mb] ?? storage.price_minor
  const renewal: Charge = {
    entry_id,
    kind: "renewal",
    tier_mb,
    price_minor,
    amount_minor: price_minor,
    currency,
    begun_at: now,
    origin: systemOrigin
  }
  return price_minor === 0
    ? happened(...paidFor(storage, renewal, 0, now))
    : happened({ _tag: "ChargeBegun", charge: renewal })
}

/** The result of another charge comes from a fiber that was interrupted too late. It is ignored. */
const chargePaid: StorageRules["ChargePaid"] = (storage, { balance_minor, entry_id }, now) => {
  const { charge } = storage
  return charge?.entry_id === entry_id ? happened(...paidFor(storage, charge, balance_minor, now)) : nothing
}

const chargeRefused: StorageRules["ChargeRefused"] = ({ charge }, { entry_id, failure }) =>
  charge?.entry_id === entry_id ? happened({ _tag: "ChargeFailed", entry_id, failure }) : nothing

const graceChecked: StorageRules["GraceChecked"] = ({ charge, currency, past_due_since }, { balance_minor }, now) => {
  if (past_due_since === null || currency === null) return nothing
  if (balance_minor >= 0) return happened({ _tag: "Recovered" })
  if (now < past_due_since + gracePeriod_ms || charge !== null) return happened({ _tag: "StillPastDue", at: now })
  return happened(backToFree(currency, "past_due", now))
}

const counted: StorageRules["Counted"] = (storage, { recounts, used_bytes }, now) => {
  if (recounts <= storage.counted) return nothing
  const known: StorageEvent = { _tag: "Counted", recounts, used_bytes }
  const percent = usageMark(storage, used_bytes)
  const { warned_percent } = evolveStorage(storage, known)
  return percent > warned_percent && percent !== 0
    ? happened(known, { _tag: "UsageHigh", at: now, percent })
    : happened(known)
}

const rules: StorageRules = {
  Switch: switchTier,
  Renew: renew,
  ChargePaid: chargePaid,
  ChargeRefused: chargeRefused,
  GraceChecked: graceChecked,
  Recount: () => happened({ _tag: "Recounted" }),
  Counted: counted,
  Evicted: (_storage, evicted, now) => happened({ ...evicted, at: now })
}

export const decideStorage = decideBy<Storage, StorageCommands, StorageEvent>(() => rules)
