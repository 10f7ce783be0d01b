import { failure } from "./Failure.ts"

export class TopUpNotFound extends failure(
  "topup.not_found",
  404,
  "No top-up with this id exists in this workspace."
) {}

export class TopUpPushInProgress extends failure(
  "topup.push_in_progress",
  409,
  "A payment prompt is already open on this phone.",
  "Answer or dismiss the prompt, or wait a minute."
) {}

export class TopUpProviderFailed extends failure(
  "topup.provider_failed",
  502,
  "The payment provider did not accept the top-up; no money was taken.",
  "Retry with the same Idempotency-Key."
) {}

export class TopUpLimitExceeded extends failure(
  "topup.limit_exceeded",
  422,
  "The amount is above the maximum for a top-up in this currency."
) {}

export class MobileMoneyUnavailable extends failure(
  "mobilemoney.unavailable",
  422,
  "Mobile money is not set up in this deployment, or its provider does not support the currency of the wallet.",
  "Use another payment method."
) {}

export class CardProviderUnavailable extends failure(
  "cardprovider.unavailable",
  422,
  "Card payment is not enabled for this deployment or currency.",
  "Use another payment method."
) {}

export class ReceiptNotFound extends failure(
  "receipt.not_found",
  404,
  "No payment of a top-up with this id was credited to this workspace.",
  "A top-up has a receipt once it has succeeded."
) {}

export const TopUpErrors = [
  TopUpNotFound,
  TopUpPushInProgress,
  TopUpProviderFailed,
  TopUpLimitExceeded,
  MobileMoneyUnavailable,
  CardProviderUnavailable,
  ReceiptNotFound
] as const
