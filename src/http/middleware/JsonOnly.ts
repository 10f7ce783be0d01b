import { Effect, Layer } from "effect"
import { HttpServerRequest } from "effect/http"
import { HttpApiMiddleware } from "effect/http-api"
import { BadRequest, PayloadTooLarge, UnsupportedMediaType } from "../../domain/errors/GeneralErrors.ts"
import { readDocument, warnOfUnknown } from "../request/RequestDocument.ts"
import { responses } from "../api/Responses.ts"

/** What a body goes through on routes that keep no answer under an Idempotency-Key: those of operators, and of sign-in. */
export class JsonOnly extends HttpApiMiddleware.Service<JsonOnly>()("trunkline/http/JsonOnly", {
  error: responses(UnsupportedMediaType, PayloadTooLarge, BadRequest)
}) {}

export const JsonOnlyLive = Layer.succeed(JsonOnly)((httpEffect, { endpoint }) => {
  const warn = warnOfUnknown(endpoint)
  return Effect.gen(function* () {
    const document = yield* readDocument(yield* HttpServerRequest.HttpServerRequest)
    return warn(document, yield* httpEffect)
  })
})
