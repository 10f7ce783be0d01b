import { Context, Effect, Layer, Schema } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { HttpApiMiddleware } from "effect/http-api"
import { openAnswer } from "../../actors/SealedAnswer.ts"
import {
  BadRequest,
  IdempotencyConflict,
  IdempotencyInProgress,
  IdempotencyKeyInvalid,
  PayloadTooLarge,
  ServiceUnavailable,
  UnsupportedMediaType
} from "../../domain/errors/GeneralErrors.ts"
import { canonicalJson } from "../../domain/idempotency/CanonicalJson.ts"
import { idempotencyKey } from "../../domain/idempotency/IdempotencyKey.ts"
import type { IdempotentRequest } from "../../domain/idempotency/IdempotentRequest.ts"
import { Idempotency, type KeptAnswer } from "../../domain/ports/Idempotency.ts"
import { Vault } from "../../domain/ports/Vault.ts"
import { CurrentPrincipal } from "../CurrentPrincipal.ts"
import { makeInFlight } from "../InFlight.ts"
import { readDocument, warnOfUnknown } from "../RequestDocument.ts"
import { responses } from "../Responses.ts"

/** The key under which the answer of the request being served is kept, if it carries one. */
export class KeptUnder extends Context.Service<KeptUnder, {
  readonly request: IdempotentRequest | undefined
}>()("trunkline/http/KeptUnder") {}

/** For the contract: the middleware reads it. */
export const idempotencyHeader = {
  "idempotency-key": Schema.optionalKey(Schema.String).annotate({
    description: "1 to 255 printable ASCII characters. The same request with the same key gets the same answer for 24 hours."
  })
}

/** What every POST of the customer API goes through before its shape is checked: body, then Idempotency-Key. */
export class JsonWrite extends HttpApiMiddleware.Service<JsonWrite, {
  provides: KeptUnder
  requires: CurrentPrincipal
}>()("trunkline/http/JsonWrite", {
  error: responses(
    UnsupportedMediaType,
    PayloadTooLarge,
    BadRequest,
    IdempotencyKeyInvalid,
    IdempotencyConflict,
    IdempotencyInProgress,
    ServiceUnavailable
  )
}) {}

const replay = ({ status, body, headers }: Omit<KeptAnswer, "fingerprint">) =>
  HttpServerResponse.text(body, {
    status,
    contentType: "application/json",
    headers: { ...headers, "idempotent-replayed": "true" }
  })

export const JsonWriteLive = Layer.effect(JsonWrite, Effect.gen(function*() {
  const idempotency = yield* Idempotency
  const vault = yield* Vault
  const inFlight = makeInFlight()

  const keyed = (request: HttpServerRequest.HttpServerRequest, route: string, header: string, document: unknown) =>
    Effect.gen(function*() {
      const { workspace_id } = yield* CurrentPrincipal
      const key = yield* Effect.fromResult(idempotencyKey(header))
      const canonical = yield* Effect.fromResult(canonicalJson(document))
      const path = request.url.split("?", 1)[0]!
      return { workspace_id, method: request.method, route, key, fingerprint: idempotency.fingerprint(`${path}\n${canonical}`) }
    })

  const once = <E, R>(request: IdempotentRequest, first: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>) =>
    inFlight.alone(
      request,
      Effect.gen(function*() {
        const kept = yield* Effect.mapError(idempotency.find(request), (cause) => new ServiceUnavailable({ cause }))
        if (kept === undefined) return yield* first
        if (kept.fingerprint !== request.fingerprint) return yield* new IdempotencyConflict()
        return replay(openAnswer(vault, request.workspace_id, kept))
      })
    )

  return JsonWrite.of((httpEffect, { endpoint }) => {
    const warn = warnOfUnknown(endpoint)
    return Effect.gen(function*() {
      const request = yield* HttpServerRequest.HttpServerRequest
      const document = yield* readDocument(request)
      const header = request.headers["idempotency-key"]
      const kept = header === undefined ? undefined : yield* keyed(request, endpoint.path, header, document)
      const first = Effect.provideService(httpEffect, KeptUnder, { request: kept })
      return warn(document, yield* kept === undefined ? first : once(kept, first))
    })
  })
}))
