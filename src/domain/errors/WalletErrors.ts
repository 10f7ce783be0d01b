import { failure } from "./Failure.ts"

export class WalletNotFound extends failure(
  "wallet.not_found",
  404,
  "The workspace has no wallet yet.",
  "Complete the onboarding: choosing the currency creates the wallet."
) {}

export class WalletInsufficientFunds extends failure(
  "wallet.insufficient_funds",
  402,
  "The available balance is too low.",
  "Top up the wallet, then retry. You may use the same Idempotency-Key."
) {}

export class WalletInvalidAmount extends failure(
  "wallet.invalid_amount",
  422,
  "The amount is not valid.",
  "Send a positive integer in minor units; a threshold may also be 0."
) {}

export class WalletCurrencyMismatch extends failure(
  "wallet.currency_mismatch",
  422,
  "The currency is not the currency of the wallet."
) {}

export class WalletTopUpBelowMinimum extends failure(
  "wallet.topup_below_minimum",
  422,
  "The amount is below the minimum for a top-up in this currency."
) {}

export class WalletAdjustmentInvalidKind extends failure(
  "wallet.adjustment_invalid_kind",
  422,
  "The adjustment kind does not exist.",
  "Use manual_credit, manual_debit, refund or fee_waiver."
) {}

export class CurrencyUnsupported extends failure(
  "currency.unsupported",
  422,
  "The currency is not supported.",
  "Use KES, UGX, TZS, RWF, ZAR, GHS or NGN."
) {}

export class WalletCardMissing extends failure(
  "wallet.card_missing",
  409,
  "No card is saved for automatic top-ups.",
  "Pay a top-up by card with `save_card`, then retry."
) {}

export class InvoiceNotFound extends failure(
  "invoice.not_found",
  404,
  "The wallet has no invoice for this month.",
  "A month (UTC) has an invoice once it has ended, from the month of the first entry of the wallet on."
) {}

export const WalletErrors = [
  WalletNotFound,
  WalletInsufficientFunds,
  WalletInvalidAmount,
  WalletCurrencyMismatch,
  WalletTopUpBelowMinimum,
  WalletAdjustmentInvalidKind,
  CurrencyUnsupported,
  InvoiceNotFound,
  WalletCardMissing
] as const
