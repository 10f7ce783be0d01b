// The commands of a workspace's storage.
import { Schema } from "effect"
import { Origin } from "../access/Origin.ts"
import { commandsOf, type Message, type Tag } from "../Command.ts"
import { FailureFromWire } from "../errors/FailureFromWire.ts"
import type { Failure } from "../errors/Failure.ts"
import { ServiceUnavailable } from "../errors/GeneralErrors.ts"
import { WalletInsufficientFunds, WalletInvalidAmount, WalletNotFound } from "../errors/WalletErrors.ts"
import { tagged } from "../Tagged.ts"
import { Currency } from "../wallet/Currency.ts"

/** Why the wallet refused a debit. */
export type ChargeRefusal = WalletNotFound | WalletInvalidAmount | WalletInsufficientFunds
export const isChargeRefusal = (failure: unknown): failure is ChargeRefusal =>
  failure instanceof WalletNotFound ||
  failure instanceof WalletInvalidAmount ||
  failure instanceof WalletInsufficientFunds
const ChargeRefusal = FailureFromWire.pipe(
  Schema.refine((failure: Failure): failure is ChargeRefusal => isChargeRefusal(failure))
)

const Switched = Schema.Struct({ charge_minor: Schema.Int, effective: Schema.Literals(["now", "next_month"]) })
export type Switched = typeof Switched.Type

export const StorageCommands = commandsOf("Storage", {
  /** Changes the tier: to a larger one now, paid for the rest of the month; to a smaller one from the 1st on. */
  Switch: {
    payload: {
      tier_mb: Schema.Int,
      /** For a month of the tier. */
      price_minor: Schema.Int,
      currency: Currency,
      /** The id of the ledger entry, if money is due. */
      entry_id: Schema.String,
      origin: Origin
    },
    /** `Charging`: the wallet is being debited, and a `ChargeSettled` notice follows. */
    reply: Schema.Union([tagged("Switched", Switched.fields), tagged("Charging", { entry_id: Schema.String })]),
    errors: [ServiceUnavailable]
  },
  /** A new month begins. `prices` are for a month, by tier in MB; a tier without one keeps its price. */
  Renew: { payload: { prices: Schema.Record(Schema.String, Schema.Int), entry_id: Schema.String } },
  /** The debit is on disk. `balance_minor` is the balance after it. */
  ChargePaid: { payload: { entry_id: Schema.String, balance_minor: Schema.Int } },
  ChargeRefused: { payload: { entry_id: Schema.String, failure: ChargeRefusal } },
  /** The balance of the wallet while a renewal is past due. */
  GraceChecked: { payload: { balance_minor: Schema.Int } },
  /** A recording was added or removed. */
  Recount: {},
  /** The space that recordings take, including at least the first `recounts` changes. */
  Counted: { payload: { recounts: Schema.Int, used_bytes: Schema.Int } },
  /** The recordings that were deleted to make room, and the space that is used now. */
  Evicted: { payload: { recordings: Schema.Int, freed_bytes: Schema.Int, used_bytes: Schema.Int } }
})
export type StorageCommands = typeof StorageCommands
export type StorageMessage<T extends Tag<StorageCommands> = Tag<StorageCommands>> = Message<StorageCommands, T>

/** How the charge of an upgrade ended. */
export const ChargeSettled = tagged("ChargeSettled", {
  entry_id: Schema.String,
  charge_minor: Schema.Int,
  failure: Schema.NullOr(ChargeRefusal)
})
export type ChargeSettled = typeof ChargeSettled.Type
