import { Schema } from "effect"
import { HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { BadRequest, ServiceUnavailable } from "../../domain/errors/GeneralErrors.ts"
import { RateRecord, RatesChanged, RatesRequest } from "../../domain/numbers/RateSheet.ts"
import { FilterText } from "../request/Pagination.ts"
import { Answers } from "../middleware/Answers.ts"
import { OperatorOnly } from "../middleware/OperatorOnly.ts"
import { operatorEndpoints } from "./Endpoints.ts"

const csv = Schema.String.annotate({
  description:
    "CSV (RFC 4180). The first line names the columns, which are the members of a `RateRequest`. Each further line is one rate. An empty field is absent."
}).pipe(HttpApiSchema.asText({ contentType: "text/csv" }))

const endpoint = operatorEndpoints()

export class AdminRatesApi extends HttpApiGroup.make("admin_rates")
  .add(
    endpoint.create("upsert", "/v1/admin/rates", {
      summary: "Set rates",
      description:
        "Takes JSON or CSV. Either all rates are set or none. Calls in progress keep the rate at which they were placed.",
      payload: [RatesRequest, csv],
      success: RatesChanged,
      errors: [BadRequest, ServiceUnavailable]
    }),
    endpoint.list("list", "/v1/admin/rates", {
      summary: "List rates",
      description: "The latest `effective_from` is first.",
      query: {
        currency: Schema.optionalKey(FilterText),
        direction: Schema.optionalKey(FilterText),
        prefix: Schema.optionalKey(FilterText)
      },
      success: RateRecord
    })
  )
  .middleware(OperatorOnly)
  .middleware(Answers)
  .annotateMerge(
    OpenApi.annotations({ title: "Operators: rates", description: "For the operators of the platform." })
  ) {}
