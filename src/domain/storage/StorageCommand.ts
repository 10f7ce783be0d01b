// Everything that can be asked of a workspace's storage, what it answers, and what it tells who waits.
import { Schema } from "effect"
import { Origin } from "../access/Origin.ts"
import { FailureFromWire } from "../errors/FailureFromWire.ts"
import { tagged } from "../Tagged.ts"
import { Currency } from "../wallet/Currency.ts"

export const StorageCommand = Schema.Union([
  /** Another size: a larger one now, for the rest of the month; a smaller one from the 1st on. */
  tagged("Switch", {
    tier_mb: Schema.Int,
    /** A month of it. */
    price_minor: Schema.Int,
    currency: Currency,
    /** Of the entry in the books, if there is one to be made. */
    entry_id: Schema.String,
    origin: Origin
  }),
  /** The 1st has come. `prices` are of a month, by size; a size without one costs what it did. */
  tagged("Renew", { prices: Schema.Record(Schema.String, Schema.Int), entry_id: Schema.String }),
  /** Money, told once the wallet has it on disk. */
  tagged("ChargePaid", { entry_id: Schema.String, balance_minor: Schema.Int }),
  tagged("ChargeRefused", { entry_id: Schema.String, failure: FailureFromWire }),
  /** The wallet as it is while a renewal is past due. */
  tagged("GraceChecked", { balance_minor: Schema.Int }),
  /** A recording has come or gone. */
  tagged("Recount", {}),
  /** What recordings take up, at least as of the `recounts`th change. */
  tagged("Counted", { recounts: Schema.Int, used_bytes: Schema.Int }),
  /** What had to go, and what is left. */
  tagged("Evicted", { recordings: Schema.Int, freed_bytes: Schema.Int, used_bytes: Schema.Int })
])
export type StorageCommand = typeof StorageCommand.Type

export const StorageReply = Schema.Union([
  tagged("Noted", {}),
  tagged("Switched", { charge_minor: Schema.Int, effective: Schema.Literals(["now", "next_month"]) }),
  /** The money is being asked for: `ChargeSettled` follows. */
  tagged("Charging", { entry_id: Schema.String })
])
export type StorageReply = typeof StorageReply.Type

/** How the charge of an upgrade ended. */
export const ChargeSettled = tagged("ChargeSettled", {
  entry_id: Schema.String,
  charge_minor: Schema.Int,
  failure: Schema.NullOr(FailureFromWire)
})
export type ChargeSettled = typeof ChargeSettled.Type
