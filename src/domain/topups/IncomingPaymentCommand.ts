import { Schema } from "effect"
import { tagged } from "../Tagged.ts"
import { Currency } from "../wallet/Currency.ts"

/** Everything that can be asked of a payment that came in. */
export const IncomingPaymentCommand = Schema.Union([
  /** It is announced: once more, or by a prompt that says it is its own. */
  tagged("Arrive", {
    amount_minor: Schema.Int.check(Schema.isGreaterThan(0)),
    currency: Currency,
    account_ref: Schema.NullOr(Schema.String),
    paid_at: Schema.Int,
    claimed_by: Schema.NullOr(Schema.String)
  }),
  /** No workspace has its reference. */
  tagged("Suspend", {}),
  /** An operator says whose it is. */
  tagged("Release", { workspace_id: Schema.String, currency: Currency }),
  tagged("Settle", { workspace_id: Schema.String, topup_id: Schema.String })
])
export type IncomingPaymentCommand = typeof IncomingPaymentCommand.Type

export const IncomingPaymentReply = Schema.Union([tagged("Noted", {}), tagged("NotInSuspense", {})])
export type IncomingPaymentReply = typeof IncomingPaymentReply.Type
