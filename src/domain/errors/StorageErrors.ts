import { failure, operationFailure } from "./Failure.ts"

export class StorageTierInvalid extends failure(
  "storage.tier_invalid",
  422,
  "The storage tier does not exist.",
  "Use a tier_gb of 5, 10, 25, 50, 100 or 250."
) {}

export class StoragePriceMissing extends failure(
  "storage.price_missing",
  422,
  "The storage tier has no price in the currency of the wallet.",
  "Choose another tier, or contact support."
) {}

export class StorageTierSwitchFailed extends operationFailure(
  "storage.tier_switch_failed",
  "The change of storage tier could not be stored.",
  "Read GET /v1/storage to see whether it took effect before retrying."
) {}

export const StorageErrors = [StorageTierInvalid, StoragePriceMissing, StorageTierSwitchFailed] as const
