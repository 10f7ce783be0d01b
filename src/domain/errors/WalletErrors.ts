import { failure } from "./Failure.ts"

export class WalletNotFound extends failure(
  "wallet.not_found",
  404,
  "The workspace has no wallet yet.",
  "Complete the onboarding: the wallet is opened when its currency is chosen."
) {}

export class WalletInsufficientFunds extends failure(
  "wallet.insufficient_funds",
  402,
  "The available balance does not cover this.",
  "Top up the wallet, then retry; the same Idempotency-Key may be used."
) {}

export class WalletInvalidAmount extends failure(
  "wallet.invalid_amount",
  422,
  "The amount is not allowed.",
  "Amounts are positive integers in minor units; a threshold may be 0."
) {}

export class WalletCurrencyMismatch extends failure(
  "wallet.currency_mismatch",
  422,
  "The currency is not that of the wallet."
) {}

export class WalletTopUpBelowMinimum extends failure(
  "wallet.topup_below_minimum",
  422,
  "The top-up is below the minimum of its currency."
) {}

export class WalletAdjustmentInvalidKind extends failure(
  "wallet.adjustment_invalid_kind",
  422,
  "The kind of adjustment does not exist.",
  "Use manual_credit, manual_debit, refund or fee_waiver."
) {}

export class CurrencyUnsupported extends failure(
  "currency.unsupported",
  422,
  "The currency is not supported.",
  "Use KES, UGX, TZS, RWF, ZAR, GHS or NGN."
) {}

export const WalletErrors = [
  WalletNotFound,
  WalletInsufficientFunds,
  WalletInvalidAmount,
  WalletCurrencyMismatch,
  WalletTopUpBelowMinimum,
  WalletAdjustmentInvalidKind,
  CurrencyUnsupported
] as const
