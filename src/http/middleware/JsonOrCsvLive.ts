import { Effect, Layer } from "effect"
import { HttpServerRequest } from "effect/http"
import { isCsv, readDocument, readTable, warnOfUnknown } from "../request/RequestDocument.ts"
import { JsonOrCsv } from "./JsonOrCsv.ts"

export const JsonOrCsvLive = Layer.succeed(JsonOrCsv)((httpEffect, { endpoint }) => {
  const warn = warnOfUnknown(endpoint)
  return Effect.gen(function* () {
    const request = yield* HttpServerRequest.HttpServerRequest
    const document = isCsv(request) ? yield* readTable(request) : yield* readDocument(request)
    return warn(document, yield* httpEffect)
  })
})
