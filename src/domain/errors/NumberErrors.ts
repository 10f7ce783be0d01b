import { failure } from "./Failure.ts"

export class NumberNotFound extends failure(
  "numbers.not_found",
  404,
  "No number with this id exists in this workspace."
) {}

export class NumberNotActive extends failure(
  "numbers.not_active",
  409,
  "The number is suspended or released and cannot be used for calls.",
  "Top up the wallet so that the number is renewed, or use another number."
) {}

export class NumberAlreadyClaimed extends failure(
  "numbers.already_claimed",
  409,
  "The number is already claimed.",
  "Choose another number from GET /v1/numbers/available."
) {}

export class NumberRetired extends failure(
  "numbers.retired",
  409,
  "The number is retired and can no longer be claimed.",
  "Choose another number from GET /v1/numbers/available."
) {}

export class NumberNotAssigned extends failure(
  "numbers.not_assigned",
  409,
  "The number is not assigned to a workspace."
) {}

export class NumberProofRequired extends failure(
  "numbers.proof_required",
  409,
  "The workspace has not proved yet that it answers the number.",
  "Have a code spoken at the number with POST /v1/caller-ids, and enter it; or ask an operator to approve the number."
) {}

export class NumberLimitReached extends failure(
  "numbers.limit_reached",
  409,
  "The workspace has brought as many numbers as it may have.",
  "Remove one with DELETE /v1/numbers/byo/{id}."
) {}

export class NumberE164Taken extends failure(
  "numbers.e164_taken",
  409,
  "The number is already registered, by the platform or by another workspace."
) {}

export class NumberByoRequiresTrunk extends failure(
  "numbers.byo_requires_trunk",
  409,
  "You can bring your own number only with an active SIP trunk.",
  "Create a SIP trunk and wait until it is active."
) {}

export class NumberInvalidRoutingUrl extends failure(
  "numbers.invalid_routing_url",
  422,
  "A routing URL is not valid.",
  "Use an absolute http or https URL with a host."
) {}

export class NumberPriceMissing extends failure(
  "numbers.price_missing",
  422,
  "The number has no price in the currency of the wallet.",
  "Choose a number from another series, or contact support."
) {}

export class NumberWalletUnavailable extends failure(
  "numbers.wallet_unavailable",
  503,
  "The wallet did not answer in time. The claim is still being processed.",
  "Retry with the same Idempotency-Key.",
  1
) {}

export class SeriesInvalid extends failure(
  "numbers.series_invalid",
  422,
  "The number series is not valid.",
  "The end suffix must be greater than the start suffix, the range at most 10,000 numbers, with at least one of voice, sms and webrtc."
) {}

export class SeriesNotActive extends failure(
  "numbers.series_not_active",
  409,
  "The number series is inactive or retired."
) {}

export class SeriesSuffixCollision extends failure(
  "numbers.suffix_collision",
  409,
  "Some numbers of the range already exist.",
  "See `details` for the first of them, and choose a range without them."
) {}

export class ProviderHasActiveSeries extends failure(
  "provider.has_active_series",
  409,
  "The provider has active number series.",
  "Retire its series first."
) {}

export class ProviderInvalidCredentials extends failure(
  "provider.invalid_credentials",
  422,
  "The SIP credentials of the provider are not valid."
) {}

export const NumberErrors = [
  NumberNotFound,
  NumberNotActive,
  NumberAlreadyClaimed,
  NumberRetired,
  NumberNotAssigned,
  NumberProofRequired,
  NumberLimitReached,
  NumberE164Taken,
  NumberByoRequiresTrunk,
  NumberInvalidRoutingUrl,
  NumberPriceMissing,
  NumberWalletUnavailable,
  SeriesInvalid,
  SeriesNotActive,
  SeriesSuffixCollision,
  ProviderHasActiveSeries,
  ProviderInvalidCredentials
] as const
