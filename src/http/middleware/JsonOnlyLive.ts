import { Effect, Layer } from "effect"
import { HttpServerRequest } from "effect/http"
import { bodyFailure } from "../request/AnswerFailure.ts"
import { refuseUnknownQuery } from "../request/QueryNames.ts"
import { readDocument, unknownTo, warnOfUnknown } from "../request/RequestDocument.ts"
import { JsonOnly } from "./JsonOnly.ts"

export const JsonOnlyLive = Layer.succeed(JsonOnly)((httpEffect, { endpoint }) => {
  const warn = warnOfUnknown(endpoint)
  return Effect.gen(function* () {
    yield* refuseUnknownQuery(endpoint)
    const document = yield* readDocument(yield* HttpServerRequest.HttpServerRequest)
    return warn(
      document,
      yield* Effect.mapError(httpEffect, (error) => bodyFailure(error, unknownTo(endpoint, document)))
    )
  })
})
