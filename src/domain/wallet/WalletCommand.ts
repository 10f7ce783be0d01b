// Everything that can be asked of a wallet, and what it answers.
import { Schema } from "effect"
import { Origin } from "../access/Origin.ts"
import { tagged } from "../Tagged.ts"
import { TrunkLimits } from "../trunks/TrunkLoad.ts"
import { Currency } from "./WalletBalance.ts"

/** Amounts stay exact in a double up to here, some 90 trillion whole units; nothing larger is taken. */
export const amount_minor_max = Number.MAX_SAFE_INTEGER

/** What the calling policy allows of dialling; null is no limit. */
const DialLimits = Schema.Struct({
  calls_per_second: Schema.Int,
  max_calls_per_destination_per_hour: Schema.NullOr(Schema.Int),
  daily_spend_limit_minor: Schema.NullOr(Schema.Int)
})

const Amount = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: amount_minor_max }))

export const CreditKind = Schema.Literals(["topup", "manual_credit", "refund", "fee_waiver"])
export type CreditKind = typeof CreditKind.Type

export const DebitKind = Schema.Literals(["number_rental", "storage_charge", "manual_debit", "topup_reversal"])
export type DebitKind = typeof DebitKind.Type

const adjustments: ReadonlySet<string> = new Set(["manual_credit", "refund", "fee_waiver", "manual_debit"])

/** Whether a person of the platform moves the money. What the engine does of its own accord is no adjustment. */
export const isAdjustment = ({ kind, origin }: { readonly kind: string; readonly origin: Origin }): boolean =>
  adjustments.has(kind) && origin.actor.type !== "system"

/** One movement of money, whichever way. The entry's id, a UUID that the caller chooses once, makes it happen once. */
const movement = {
  entry_id: Schema.String,
  amount_minor: Amount,
  reference_type: Schema.String,
  reference_id: Schema.String,
  description: Schema.String,
  origin: Origin,
  /** The other side of the books where the kind does not say it: `clearing:card`, `suspense`. */
  contra: Schema.optionalKey(Schema.String),
  metadata: Schema.optionalKey(Schema.Record(Schema.String, Schema.String))
}

/** Money comes in. Asked again, it answers what the first did. */
export const Credit = tagged("Credit", { kind: CreditKind, ...movement })
export type Credit = typeof Credit.Type

/**
 * Money goes out: as much as is available, open holds not counted, or 402; where it may overdraw, whatever is there. An
 * amount of 0 is no movement and is refused. Asked again, it answers what the first did.
 */
export const Debit = tagged("Debit", { kind: DebitKind, may_overdraw: Schema.Boolean, ...movement })
export type Debit = typeof Debit.Type

export const WalletCommand = Schema.Union([
  /** Onboarding has chosen the currency. */
  tagged("Open", { currency: Currency }),
  Credit,
  Debit,
  /** Below it the customer is warned, once each time that the balance falls below it. */
  tagged("SetThreshold", { low_balance_threshold_minor: Amount, origin: Origin }),
  /**
   * Sets money aside for a call. The same hold again is raised to the amount given, if that is more. What would be
   * more than `max_legs` under way is refused: every leg has a hold, or shares that of its group until it is answered. `dial`
   * names where it rings, for money that is set aside to dial. `trunk`: how many of its legs go over the workspace's own
   * trunk, and what that carries.
   */
  tagged("PlaceHold", {
    hold_id: Schema.String,
    call_id: Schema.String,
    amount_minor: Amount,
    max_legs: Schema.optionalKey(Schema.Int),
    dial: Schema.optionalKey(Schema.Struct({ to: Schema.Array(Schema.String), limits: DialLimits })),
    trunk: Schema.optionalKey(Schema.Struct({ legs: Schema.Int, limits: TrunkLimits }))
  }),
  /** Raises a hold to the whole amount given; a hold that is already so large stays as it is. */
  tagged("ExtendHold", { hold_id: Schema.String, amount_minor: Amount }),
  /** One hold takes the place of another: that of the leg that was answered, of that of its dial. Once, however often asked. */
  tagged("HandOverHold", {
    from_hold_id: Schema.String,
    hold_id: Schema.String,
    call_id: Schema.String,
    amount_minor: Amount,
    /** Whether the leg goes over the workspace's own trunk. */
    over_trunk: Schema.optionalKey(Schema.Boolean)
  }),
  /** Charges a call from its hold and gives the rest back. */
  tagged("CaptureHold", { hold_id: Schema.String, amount_minor: Amount, entry_id: Schema.String, description: Schema.String }),
  tagged("ReleaseHold", { hold_id: Schema.String }),
  /** The holds placed before then that no live call stands behind, as the books say. */
  tagged("Audited", { orphaned_hold_ids: Schema.Array(Schema.String), placed_before: Schema.Int })
])
export type WalletCommand = typeof WalletCommand.Type

export const WalletReply = Schema.Union([
  tagged("Opened", {}),
  tagged("Credited", { balance_minor: Schema.Int }),
  tagged("Debited", { balance_minor: Schema.Int }),
  tagged("ThresholdSet", {}),
  /** `available_minor`: what could still be set aside; absent from an engine of an older version. */
  tagged("Held", { amount_minor: Schema.Int, available_minor: Schema.optionalKey(Schema.Int) }),
  tagged("Captured", { amount_minor: Schema.Int, entry_id: Schema.String, balance_minor: Schema.Int }),
  tagged("Released", {}),
  tagged("Audited", {}),
  /** There is no such hold open: it was captured or released before, or never placed. */
  tagged("HoldUnknown", {})
])
export type WalletReply = typeof WalletReply.Type
