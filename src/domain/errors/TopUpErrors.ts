import { failure } from "./Failure.ts"

export class TopUpNotFound extends failure(
  "topup.not_found",
  404,
  "No top-up with this id exists in this workspace."
) {}

export class TopUpPushInProgress extends failure(
  "topup.push_in_progress",
  409,
  "A payment prompt is open on this phone.",
  "Answer or dismiss the prompt, or wait a minute."
) {}

export class TopUpProviderFailed extends failure(
  "topup.provider_failed",
  502,
  "The payment provider did not accept the top-up; nothing was taken.",
  "Retry with the same Idempotency-Key."
) {}

export class TopUpLimitExceeded extends failure(
  "topup.limit_exceeded",
  422,
  "The top-up is above the maximum of its currency."
) {}

export class MobileMoneyUnavailable extends failure(
  "mobilemoney.unavailable",
  422,
  "Mobile money is not set up in this deployment, or the wallet is in another currency than its provider.",
  "Use another way to pay."
) {}

export class CardProviderUnavailable extends failure(
  "cardprovider.unavailable",
  422,
  "Card payment is not enabled for this deployment or currency.",
  "Use another way to pay."
) {}

export const TopUpErrors = [
  TopUpNotFound,
  TopUpPushInProgress,
  TopUpProviderFailed,
  TopUpLimitExceeded,
  MobileMoneyUnavailable,
  CardProviderUnavailable
] as const
