import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { AccountSuspended } from "../../domain/errors/AccountErrors.ts"
import { BadRequest, InvalidCursor, NotFound } from "../../domain/errors/GeneralErrors.ts"
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
import { FilterText, ListOf, paging } from "../request/Pagination.ts"
import { Answers } from "../middleware/Answers.ts"
import { JsonOnly } from "../middleware/JsonOnly.ts"
import { idempotencyHeader } from "../request/JsonWrite.ts"
import { OperatorOnly } from "../middleware/OperatorOnly.ts"
import { OperatorWrite } from "../middleware/OperatorWrite.ts"
import { responses } from "../request/Responses.ts"
import { EndpointPolicy } from "../request/EndpointPolicy.ts"
import { NumberId, WorkspaceId } from "../../domain/BrandedIds.ts"

const createSeries = HttpApiEndpoint.post("createSeries", "/v1/admin/number-series", {
  headers: idempotencyHeader,
  payload: SeriesRequest,
  success: SeriesRecord.pipe(HttpApiSchema.status(201)),
  error: responses(SeriesInvalid)
})
  .annotateMerge(
    OpenApi.annotations({
      summary: "Create a series",
      description: "Creates a range of numbers with its prices. The numbers do not exist until they are generated."
    })
  )
  .middleware(OperatorWrite)

const listSeries = HttpApiEndpoint.get("listSeries", "/v1/admin/number-series", {
  query: {
    ...paging,
    country: Schema.optionalKey(FilterText),
    status: Schema.optionalKey(SeriesRecord.fields.status),
    provider_id: Schema.optionalKey(Id)
  },
  success: ListOf(SeriesRecord),
  error: responses(BadRequest, InvalidCursor)
}).annotateMerge(OpenApi.annotations({ summary: "List series", description: "Newest first." }))

const generate = HttpApiEndpoint.post("generate", "/v1/admin/number-series/:id/generate", {
  params: { id: Id },
  headers: idempotencyHeader,
  payload: [GenerateRequest, Schema.Null],
  success: Generated,
  error: responses(BadRequest, NotFound, SeriesInvalid, SeriesNotActive, SeriesSuffixCollision)
})
  .annotate(EndpointPolicy, { whenIdMalformed: NotFound })
  .annotateMerge(
    OpenApi.annotations({
      summary: "Generate numbers",
      description:
        "Adds the numbers of the series, or of a part of it, to the inventory. Either all are added or none. Repeating a range adds nothing.",
      transform: (operation) => ({ ...operation, requestBody: { ...operation.requestBody, required: false } })
    })
  )
  .middleware(OperatorWrite)

const retireSeries = HttpApiEndpoint.post("retireSeries", "/v1/admin/number-series/:id/retire", {
  params: { id: Id },
  success: Schema.Struct({ ...SeriesRecord.fields, retired_numbers: Schema.Int }).annotate({
    identifier: "RetiredSeries"
  }),
  error: responses(NotFound)
})
  .annotate(EndpointPolicy, { whenIdMalformed: NotFound })
  .annotateMerge(
    OpenApi.annotations({
      summary: "Retire a series",
      description:
        "No more numbers can be generated. Unassigned numbers are retired. Assigned numbers are not affected."
    })
  )
  .middleware(JsonOnly)

const setPrices = HttpApiEndpoint.post("setPrices", "/v1/admin/prices", {
  payload: PricesRequest,
  success: Schema.Struct({ prices: Schema.Array(PriceRecord) }).annotate({ identifier: "SeriesPrices" }),
  error: responses(BadRequest, NotFound)
})
  .annotateMerge(
    OpenApi.annotations({
      summary: "Set prices of series",
      description: "Either all prices are set or none. A claimed number keeps the price at which it was claimed."
    })
  )
  .middleware(JsonOnly)

const listPrices = HttpApiEndpoint.get("listPrices", "/v1/admin/prices", {
  query: { series_id: Schema.optionalKey(Id), currency: Schema.optionalKey(Currency) },
  success: Schema.Array(PriceRecord),
  error: responses(BadRequest)
}).annotateMerge(
  OpenApi.annotations({ summary: "List prices of series", description: "Returns at most 1,000 prices." })
)

const reassign = HttpApiEndpoint.post("reassign", "/v1/admin/numbers/:id/reassign", {
  params: { id: idOf(NumberId) },
  payload: Schema.Struct({ workspace_id: WorkspaceId.check(Schema.isUUID()) }).annotate({
    identifier: "ReassignNumberRequest"
  }),
  success: NumberRecord,
  error: responses(
    BadRequest,
    NotFound,
    NumberNotFound,
    NumberNotAssigned,
    NumberPriceMissing,
    WalletNotFound,
    AccountSuspended,
    WorkspaceLockedToByoc
  )
})
  .annotate(EndpointPolicy, { whenIdMalformed: NumberNotFound })
  .annotateMerge(
    OpenApi.annotations({
      summary: "Reassign a number",
      description:
        "Moves a number to another workspace, which pays from the next renewal on. The routing is reset to its defaults."
    })
  )
  .middleware(JsonOnly)

const retireNumber = HttpApiEndpoint.post("retireNumber", "/v1/admin/numbers/:id/retire", {
  params: { id: idOf(NumberId) },
  success: NumberRecord,
  error: responses(NumberNotFound, NumberAlreadyClaimed, NumberRetired)
})
  .annotate(EndpointPolicy, { whenIdMalformed: NumberNotFound })
  .annotateMerge(
    OpenApi.annotations({
      summary: "Retire a number",
      description: "Takes an unassigned number out of use permanently."
    })
  )
  .middleware(JsonOnly)

export class AdminNumbersApi extends HttpApiGroup.make("admin_numbers")
  .add(createSeries, listSeries, generate, retireSeries, setPrices, listPrices, reassign, retireNumber)
  .middleware(OperatorOnly)
  .middleware(Answers)
  .annotateMerge(
    OpenApi.annotations({ title: "Operators: numbers", description: "For the operators of the platform." })
  ) {}
