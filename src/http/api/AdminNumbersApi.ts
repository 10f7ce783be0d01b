import { Schema } from "effect"
import { HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { AccountSuspended } from "../../domain/errors/AccountErrors.ts"
import { BadRequest, NotFound } from "../../domain/errors/GeneralErrors.ts"
import {
  NumberAlreadyClaimed,
  NumberNotAssigned,
  NumberNotFound,
  NumberPriceMissing,
  NumberRetired,
  SeriesInvalid,
  SeriesNotActive,
  SeriesSuffixCollision
} from "../../domain/errors/NumberErrors.ts"
import { WorkspaceLockedToByoc } from "../../domain/errors/TrunkErrors.ts"
import { WalletNotFound } from "../../domain/errors/WalletErrors.ts"
import { NumberRecord } from "../../domain/numbers/NumberRecord.ts"
import {
  Generated,
  GenerateRequest,
  PriceRecord,
  PricesRequest,
  SeriesRecord,
  SeriesRequest
} from "../../domain/numbers/Series.ts"
import { Currency } from "../../domain/wallet/Currency.ts"
import { Id, idOf } from "../request/CallRef.ts"
import { FilterText } from "../request/Pagination.ts"
import { Answers } from "../middleware/Answers.ts"
import { OperatorOnly } from "../middleware/OperatorOnly.ts"
import { NumberId, WorkspaceId } from "../../domain/BrandedIds.ts"
import { operatorEndpoints } from "./Endpoints.ts"

const endpoint = operatorEndpoints()

export class AdminNumbersApi extends HttpApiGroup.make("admin_numbers")
  .add(
    endpoint.create("createSeries", "/v1/admin/number-series", {
      summary: "Create a series",
      description: "Creates a range of numbers with its prices. The numbers do not exist until they are generated.",
      payload: SeriesRequest,
      success: SeriesRecord.pipe(HttpApiSchema.status(201)),
      errors: [SeriesInvalid]
    }),
    endpoint.list("listSeries", "/v1/admin/number-series", {
      summary: "List series",
      description: "Newest first.",
      query: {
        country: Schema.optionalKey(FilterText),
        status: Schema.optionalKey(SeriesRecord.fields.status),
        provider_id: Schema.optionalKey(Id)
      },
      success: SeriesRecord
    }),
    endpoint.create("generate", "/v1/admin/number-series/:id/generate", {
      summary: "Generate numbers",
      description:
        "Adds the numbers of the series, or of a part of it, to the inventory. Either all are added or none. Repeating a range adds nothing.",
      params: { id: Id },
      payload: [GenerateRequest, Schema.Null],
      success: Generated,
      errors: [BadRequest, NotFound, SeriesInvalid, SeriesNotActive, SeriesSuffixCollision]
    }),
    endpoint.post("retireSeries", "/v1/admin/number-series/:id/retire", {
      summary: "Retire a series",
      description:
        "No more numbers can be generated. Unassigned numbers are retired. Assigned numbers are not affected.",
      params: { id: Id },
      success: Schema.Struct({ ...SeriesRecord.fields, retired_numbers: Schema.Int }).annotate({
        identifier: "RetiredSeries"
      }),
      errors: [NotFound]
    }),
    endpoint.post("setPrices", "/v1/admin/prices", {
      summary: "Set prices of series",
      description: "Either all prices are set or none. A claimed number keeps the price at which it was claimed.",
      payload: PricesRequest,
      success: Schema.Struct({ prices: Schema.Array(PriceRecord) }).annotate({ identifier: "SeriesPrices" }),
      errors: [BadRequest, NotFound]
    }),
    endpoint.get("listPrices", "/v1/admin/prices", {
      summary: "List prices of series",
      description: "Returns at most 1,000 prices.",
      query: { series_id: Schema.optionalKey(Id), currency: Schema.optionalKey(Currency) },
      success: Schema.Array(PriceRecord),
      errors: [BadRequest]
    }),
    endpoint.post("reassign", "/v1/admin/numbers/:id/reassign", {
      summary: "Reassign a number",
      description:
        "Moves a number to another workspace, which pays from the next renewal on. The routing is reset to its defaults.",
      policy: { whenIdMalformed: NumberNotFound },
      params: { id: idOf(NumberId) },
      payload: Schema.Struct({
        workspace_id: WorkspaceId.check(Schema.isUUID()).annotate({
          description: "The workspace that gets the number."
        })
      }).annotate({
        identifier: "ReassignNumberRequest"
      }),
      success: NumberRecord,
      errors: [
        BadRequest,
        NotFound,
        NumberNotFound,
        NumberNotAssigned,
        NumberPriceMissing,
        WalletNotFound,
        AccountSuspended,
        WorkspaceLockedToByoc
      ]
    }),
    endpoint.post("retireNumber", "/v1/admin/numbers/:id/retire", {
      summary: "Retire a number",
      description: "Takes an unassigned number out of use permanently.",
      params: { id: idOf(NumberId) },
      success: NumberRecord,
      errors: [NumberNotFound, NumberAlreadyClaimed, NumberRetired]
    })
  )
  .middleware(OperatorOnly)
  .middleware(Answers)
  .annotateMerge(
    OpenApi.annotations({ title: "Operators: numbers", description: "For the operators of the platform." })
  ) {}
