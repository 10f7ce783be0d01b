import { HttpApiGroup, OpenApi } from "effect/http-api"
import { BadRequest } from "../../domain/errors/GeneralErrors.ts"
import { StoragePriceMissing, StorageTierInvalid, StorageTierSwitchFailed } from "../../domain/errors/StorageErrors.ts"
import { WalletInsufficientFunds, WalletInvalidAmount, WalletNotFound } from "../../domain/errors/WalletErrors.ts"
import { ChangedStorage, StorageRecord, TierRequest } from "../../domain/storage/StorageRecord.ts"
import { Answers } from "../middleware/Answers.ts"
import { Authentication } from "../middleware/Authentication.ts"
import { RateLimiting } from "../middleware/RateLimiting.ts"
import { customerEndpoints } from "./Endpoints.ts"

const endpoint = customerEndpoints({ read: { scope: "storage.read" }, write: { scope: "storage.write" } })

export class StorageApi extends HttpApiGroup.make("storage")
  .add(
    endpoint.get("get", "/v1/storage", {
      summary: "Read the storage",
      description: "The size limit, the space in use, the monthly price, and the change scheduled for the 1st.",
      success: StorageRecord
    }),
    endpoint.put("change", "/v1/storage/tier", {
      summary: "Change the storage size",
      description:
        "A larger size applies at once and is charged for the rest of the month. A smaller size applies from the " +
        "1st; request the present size to cancel it. Recordings that then exceed the size are deleted, oldest first.",
      payload: TierRequest,
      success: ChangedStorage,
      errors: [
        BadRequest,
        WalletInsufficientFunds,
        WalletInvalidAmount,
        StorageTierInvalid,
        WalletNotFound,
        StoragePriceMissing,
        StorageTierSwitchFailed
      ]
    }),
    endpoint.remove("drop", "/v1/storage/tier", {
      summary: "Return to the free size",
      description: "Applies from the 1st. The paid size remains until then.",
      success: ChangedStorage,
      errors: [WalletNotFound, StorageTierSwitchFailed]
    })
  )
  .middleware(RateLimiting)
  .middleware(Authentication)
  .middleware(Answers)
  .annotateMerge(OpenApi.annotations({ title: "Storage", description: "Storage space for recordings." })) {}
