import { Schema } from "effect"
import { HttpApiGroup, OpenApi } from "effect/http-api"
import { BadRequest, NotFound, ServiceUnavailable } from "../../domain/errors/GeneralErrors.ts"
import { StoragePriceMissing, StorageTierInvalid, StorageTierSwitchFailed } from "../../domain/errors/StorageErrors.ts"
import { WalletInsufficientFunds, WalletInvalidAmount, WalletNotFound } from "../../domain/errors/WalletErrors.ts"
import { StoragePrice, StoragePricesRequest, TierAssignment } from "../../domain/storage/StoragePrice.ts"
import { ChangedStorage } from "../../domain/storage/StorageRecord.ts"
import { idOf } from "../request/CallRef.ts"
import { Answers } from "../middleware/Answers.ts"
import { OperatorOnly } from "../middleware/OperatorOnly.ts"
import { WorkspaceId } from "../../domain/BrandedIds.ts"
import { operatorEndpoints } from "./Endpoints.ts"

const Prices = Schema.Struct({ prices: Schema.Array(StoragePrice) }).annotate({ identifier: "StoragePrices" })

const endpoint = operatorEndpoints()

export class AdminStorageApi extends HttpApiGroup.make("admin_storage")
  .add(
    endpoint.post("setPrices", "/v1/admin/storage-prices", {
      summary: "Set storage prices",
      description:
        "Sets all given prices or none. Returns all prices. Charges already made for this month do not change.",
      payload: StoragePricesRequest,
      success: Prices,
      errors: [BadRequest, ServiceUnavailable]
    }),
    endpoint.get("listPrices", "/v1/admin/storage-prices", {
      summary: "List storage prices",
      description: "Sorted by currency and size.",
      success: Prices
    }),
    endpoint.post("assign", "/v1/admin/workspaces/:id/storage", {
      summary: "Assign a storage size to a workspace",
      description: "May be a size that is not sold. It is charged and applied as if the workspace had requested it.",
      params: { id: idOf(WorkspaceId) },
      payload: TierAssignment,
      success: ChangedStorage,
      errors: [
        BadRequest,
        NotFound,
        WalletNotFound,
        WalletInsufficientFunds,
        WalletInvalidAmount,
        StorageTierInvalid,
        StoragePriceMissing,
        StorageTierSwitchFailed
      ]
    })
  )
  .middleware(OperatorOnly)
  .middleware(Answers)
  .annotateMerge(OpenApi.annotations({ title: "Operators: storage", description: "For operators of the platform." })) {}
