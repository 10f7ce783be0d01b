import { Effect, Layer } from "effect"
import { HttpServerRequest } from "effect/http"
import { HttpApiMiddleware } from "effect/http-api"
import { BadRequest, PayloadTooLarge, UnsupportedMediaType } from "../../domain/errors/GeneralErrors.ts"
import { isCsv, readDocument, readTable, warnOfUnknown } from "../request/RequestDocument.ts"
import { responses } from "../api/Responses.ts"

/** What a body goes through that may as well be a table. */
export class JsonOrCsv extends HttpApiMiddleware.Service<JsonOrCsv>()("trunkline/http/JsonOrCsv", {
  error: responses(UnsupportedMediaType, PayloadTooLarge, BadRequest)
}) {}

export const JsonOrCsvLive = Layer.succeed(JsonOrCsv)((httpEffect, { endpoint }) => {
  const warn = warnOfUnknown(endpoint)
  return Effect.gen(function* () {
    const request = yield* HttpServerRequest.HttpServerRequest
    const document = isCsv(request) ? yield* readTable(request) : yield* readDocument(request)
    return warn(document, yield* httpEffect)
  })
})
