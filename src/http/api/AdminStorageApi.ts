import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { BadRequest, NotFound, ServiceUnavailable } from "../../domain/errors/GeneralErrors.ts"
import { StoragePriceMissing, StorageTierInvalid, StorageTierSwitchFailed } from "../../domain/errors/StorageErrors.ts"
import { WalletInsufficientFunds, WalletInvalidAmount, WalletNotFound } from "../../domain/errors/WalletErrors.ts"
import { StoragePrice, StoragePricesRequest, TierAssignment } from "../../domain/storage/StoragePrice.ts"
import { ChangedStorage } from "../../domain/storage/StorageRecord.ts"
import { idOf } from "../request/CallRef.ts"
import { Answers } from "../middleware/Answers.ts"
import { JsonOnly } from "../middleware/JsonOnly.ts"
import { OperatorOnly } from "../middleware/OperatorOnly.ts"
import { responses } from "../request/Responses.ts"
import { EndpointPolicy } from "../request/EndpointPolicy.ts"
import { WorkspaceId } from "../../domain/BrandedIds.ts"

const Prices = Schema.Struct({ prices: Schema.Array(StoragePrice) }).annotate({ identifier: "StoragePrices" })

const setPrices = HttpApiEndpoint.post("setPrices", "/v1/admin/storage-prices", {
  payload: StoragePricesRequest,
  success: Prices,
  error: responses(BadRequest, ServiceUnavailable)
})
  .annotateMerge(
    OpenApi.annotations({
      summary: "Set storage prices",
      description:
        "Sets all given prices or none. Returns all prices. Charges already made for this month do not change."
    })
  )
  .middleware(JsonOnly)

const listPrices = HttpApiEndpoint.get("listPrices", "/v1/admin/storage-prices", {
  success: Prices
}).annotateMerge(OpenApi.annotations({ summary: "List storage prices", description: "Sorted by currency and size." }))

const assign = HttpApiEndpoint.post("assign", "/v1/admin/workspaces/:id/storage", {
  params: { id: idOf(WorkspaceId) },
  payload: TierAssignment,
  success: ChangedStorage,
  error: responses(
    BadRequest,
    NotFound,
    WalletNotFound,
    WalletInsufficientFunds,
    WalletInvalidAmount,
    StorageTierInvalid,
    StoragePriceMissing,
    StorageTierSwitchFailed
  )
})
  .annotate(EndpointPolicy, { whenIdMalformed: NotFound, whenReadFails: StorageTierSwitchFailed })
  .annotateMerge(
    OpenApi.annotations({
      summary: "Assign a storage size to a workspace",
      description: "May be a size that is not sold. It is charged and applied as if the workspace had requested it."
    })
  )
  .middleware(JsonOnly)

export class AdminStorageApi extends HttpApiGroup.make("admin_storage")
  .add(setPrices, listPrices, assign)
  .middleware(OperatorOnly)
  .middleware(Answers)
  .annotateMerge(OpenApi.annotations({ title: "Operators: storage", description: "For operators of the platform." })) {}
