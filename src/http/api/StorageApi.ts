import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { BadRequest } from "../../domain/errors/GeneralErrors.ts"
import { StoragePriceMissing, StorageTierInvalid, StorageTierSwitchFailed } from "../../domain/errors/StorageErrors.ts"
import { WalletInsufficientFunds, WalletInvalidAmount, WalletNotFound } from "../../domain/errors/WalletErrors.ts"
import { ChangedStorage, StorageRecord, TierRequest } from "../../domain/storage/StorageRecord.ts"
import { Answers } from "../middleware/Answers.ts"
import { Authentication } from "../middleware/Authentication.ts"
import { JsonWrite } from "../request/JsonWrite.ts"
import { RateLimiting } from "../middleware/RateLimiting.ts"
import { responses } from "../request/Responses.ts"
import { EndpointPolicy } from "../request/EndpointPolicy.ts"

const get = HttpApiEndpoint.get("get", "/v1/storage", {
  success: StorageRecord
})
  .annotate(EndpointPolicy, { scope: "storage.read" })
  .annotateMerge(
    OpenApi.annotations({
      summary: "Read the storage",
      description: "The size limit, the space in use, the monthly price, and the change scheduled for the 1st."
    })
  )

const change = HttpApiEndpoint.put("change", "/v1/storage/tier", {
  payload: TierRequest,
  success: ChangedStorage,
  error: responses(
    BadRequest,
    WalletInsufficientFunds,
    WalletInvalidAmount,
    StorageTierInvalid,
    WalletNotFound,
    StoragePriceMissing,
    StorageTierSwitchFailed
  )
})
  .annotate(EndpointPolicy, { scope: "storage.write", whenReadFails: StorageTierSwitchFailed })
  .annotateMerge(
    OpenApi.annotations({
      summary: "Change the storage size",
      description:
        "A larger size applies at once and is charged for the rest of the month. A smaller size applies from the " +
        "1st; request the present size to cancel it. Recordings that then exceed the size are deleted, oldest first."
    })
  )
  .middleware(JsonWrite)

const drop = HttpApiEndpoint.delete("drop", "/v1/storage/tier", {
  success: ChangedStorage,
  error: responses(WalletNotFound, StorageTierSwitchFailed)
})
  .annotate(EndpointPolicy, { scope: "storage.write", whenReadFails: StorageTierSwitchFailed })
  .annotateMerge(
    OpenApi.annotations({
      summary: "Return to the free size",
      description: "Applies from the 1st. The paid size remains until then."
    })
  )

export class StorageApi extends HttpApiGroup.make("storage")
  .add(get, change, drop)
  .middleware(RateLimiting)
  .middleware(Authentication)
  .middleware(Answers)
  .annotateMerge(OpenApi.annotations({ title: "Storage", description: "Storage space for recordings." })) {}
