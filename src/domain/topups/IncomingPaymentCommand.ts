// The commands of a payment that came in.
import { Schema } from "effect"
import { commandsOf, type Message, type Tag } from "../Command.ts"
import { TopUpNotFound } from "../errors/TopUpErrors.ts"
import { WalletCurrencyMismatch } from "../errors/WalletErrors.ts"
import { Currency } from "../wallet/Currency.ts"
import { TopUpId, WorkspaceId } from "../BrandedIds.ts"

export const IncomingPaymentCommands = commandsOf("PayIn", {
  /** The provider announced or listed the payment. `claimed_by` is the top-up whose prompt reports it as its own. */
  Announce: {
    payload: {
      amount_minor: Schema.Int.check(Schema.isGreaterThan(0)),
      currency: Currency,
      account_ref: Schema.NullOr(Schema.String),
      paid_at: Schema.Int,
      claimed_by: Schema.NullOr(TopUpId)
    }
  },
  /** No workspace has the payment's reference. */
  Suspend: {},
  /** An operator assigns the payment, which is in suspense, to a workspace whose wallet has this currency. */
  Release: {
    payload: { workspace_id: WorkspaceId, currency: Currency },
    errors: [TopUpNotFound, WalletCurrencyMismatch]
  },
  /** The payment belongs to this top-up. */
  Settle: { payload: { workspace_id: WorkspaceId, topup_id: TopUpId } }
})
export type IncomingPaymentCommands = typeof IncomingPaymentCommands
export type IncomingPaymentMessage<T extends Tag<IncomingPaymentCommands> = Tag<IncomingPaymentCommands>> = Message<
  IncomingPaymentCommands,
  T
>
