import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { BadRequest, InvalidCursor, ServiceUnavailable } from "../../domain/errors/GeneralErrors.ts"
import { RateRecord, RatesChanged, RatesRequest } from "../../domain/numbers/RateSheet.ts"
import { FilterText, ListOf, paging } from "../request/Pagination.ts"
import { Answers } from "../middleware/Answers.ts"
import { idempotencyHeader } from "../request/JsonWrite.ts"
import { OperatorOnly } from "../middleware/OperatorOnly.ts"
import { OperatorWrite } from "../middleware/OperatorWrite.ts"
import { responses } from "../request/Responses.ts"

const csv = Schema.String.annotate({
  description:
    "CSV (RFC 4180). The first line names the columns, which are the members of a `RateRequest`. Each further line is one rate. An empty field is absent."
}).pipe(HttpApiSchema.asText({ contentType: "text/csv" }))

const upsert = HttpApiEndpoint.post("upsert", "/v1/admin/rates", {
  headers: idempotencyHeader,
  payload: [RatesRequest, csv],
  success: RatesChanged,
  error: responses(BadRequest, ServiceUnavailable)
})
  .annotateMerge(
    OpenApi.annotations({
      summary: "Set rates",
      description:
        "Takes JSON or CSV. Either all rates are set or none. Calls in progress keep the rate at which they were placed."
    })
  )
  .middleware(OperatorWrite)

const list = HttpApiEndpoint.get("list", "/v1/admin/rates", {
  query: {
    ...paging,
    currency: Schema.optionalKey(FilterText),
    direction: Schema.optionalKey(FilterText),
    prefix: Schema.optionalKey(FilterText)
  },
  success: ListOf(RateRecord),
  error: responses(BadRequest, InvalidCursor)
}).annotateMerge(OpenApi.annotations({ summary: "List rates", description: "The latest `effective_from` is first." }))

export class AdminRatesApi extends HttpApiGroup.make("admin_rates")
  .add(upsert, list)
  .middleware(OperatorOnly)
  .middleware(Answers)
  .annotateMerge(
    OpenApi.annotations({ title: "Operators: rates", description: "For the operators of the platform." })
  ) {}
