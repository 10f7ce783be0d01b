import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { BadRequest } from "../../domain/errors/GeneralErrors.ts"
import { StoragePriceMissing, StorageTierInvalid, StorageTierSwitchFailed } from "../../domain/errors/StorageErrors.ts"
import { WalletInsufficientFunds, WalletInvalidAmount, WalletNotFound } from "../../domain/errors/WalletErrors.ts"
import { ChangedStorage, StorageRecord, TierRequest } from "../../domain/storage/StorageRecord.ts"
import { Answers } from "../middleware/Answers.ts"
import { Authentication } from "../middleware/Authentication.ts"
import { JsonWrite } from "../middleware/JsonWrite.ts"
import { RateLimiting } from "../middleware/RateLimiting.ts"
import { responses } from "./Responses.ts"
import { EndpointPolicy } from "../request/EndpointPolicy.ts"

const get = HttpApiEndpoint.get("get", "/v1/storage", {
  success: StorageRecord
})
  .annotate(EndpointPolicy, { scope: "storage.read" })
  .annotateMerge(
    OpenApi.annotations({
      summary: "Read the storage",
      description: "How much recordings may take up and do, what that costs, and what changes on the 1st."
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
  .annotate(EndpointPolicy, { scope: "storage.write", unread: StorageTierSwitchFailed })
  .annotateMerge(
    OpenApi.annotations({
      summary: "Change the storage's size",
      description:
        "A larger one holds at once, and the rest of the month is paid. A smaller one holds from the 1st on; the size that it " +
        "has takes such a wish back. What then has no room is deleted, the oldest recordings first."
    })
  )
  .middleware(JsonWrite)

const drop = HttpApiEndpoint.delete("drop", "/v1/storage/tier", {
  success: ChangedStorage,
  error: responses(WalletNotFound, StorageTierSwitchFailed)
})
  .annotate(EndpointPolicy, { scope: "storage.write", unread: StorageTierSwitchFailed })
  .annotateMerge(
    OpenApi.annotations({
      summary: "Go back to the free size",
      description: "From the 1st on: what is paid for stays until then."
    })
  )

export class StorageApi extends HttpApiGroup.make("storage")
  .add(get, change, drop)
  .middleware(RateLimiting)
  .middleware(Authentication)
  .middleware(Answers)
  .annotateMerge(OpenApi.annotations({ title: "Storage", description: "Room for recordings." })) {}
