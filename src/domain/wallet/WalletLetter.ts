// A mail that a wallet owes to the admins of its workspace. It is part of the state until it is on its way.
import { Schema } from "effect"
import { FailureCode } from "./FailureCode.ts"

export const WalletLetter = Schema.Union([
  Schema.TaggedStruct("LowBalance", {
    /** Different for each mail of a wallet. A mail with the id of an earlier one is not sent again. */
    id: Schema.String,
    /** Epoch milliseconds. */
    at: Schema.Int,
    balance_minor: Schema.Int,
    threshold_minor: Schema.Int
  }),
  Schema.TaggedStruct("AutoTopUpFailed", {
    id: Schema.String,
    at: Schema.Int,
    /** The amount of the payment that failed; null if none did. */
    amount_minor: Schema.NullOr(Schema.Int),
    failure_code: Schema.NullOr(FailureCode),
    /** When it is tried again. Null: automatic top-ups are turned off. */
    next_at: Schema.NullOr(Schema.Int),
    reason: Schema.NullOr(Schema.String)
  }),
  Schema.TaggedStruct("AutoTopUpChanged", {
    id: Schema.String,
    at: Schema.Int,
    enabled: Schema.Boolean,
    threshold_minor: Schema.Int,
    amount_minor: Schema.Int,
    monthly_ceiling_minor: Schema.Int,
    /** Who has changed it, in words. */
    by: Schema.String
  })
])
export type WalletLetter = typeof WalletLetter.Type

/** A mail that could not be handed over within this time is dropped: it would no longer be true. */
export const letterLifetime_ms = 24 * 3_600_000

/** More are never pending, unless no mail can be handed over; then the oldest are dropped. */
export const letters_max = 10
