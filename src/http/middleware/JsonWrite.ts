import { Context, Effect, Layer, Schema } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { type HttpApiEndpoint, HttpApiMiddleware } from "effect/http-api"
import { openResponse } from "../../actors/shared/SealedResponse.ts"
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
import { CurrentPrincipal } from "../request/CurrentPrincipal.ts"
import { makeInFlight } from "../server/InFlight.ts"
import { readDocument, warnOfUnknown } from "../request/RequestDocument.ts"
import { responses } from "../api/Responses.ts"

/** The key under which the answer of the request being served is kept, if it carries one. */
export class IdempotencyContext extends Context.Service<
  IdempotencyContext,
  {
    readonly request: IdempotentRequest | undefined
  }
>()("trunkline/http/IdempotencyContext") {}

/** For the contract: the middleware reads it. */
export const idempotencyHeader = {
  "idempotency-key": Schema.optionalKey(Schema.String).annotate({
    description:
      "1 to 255 printable ASCII characters. The same request with the same key gets the same answer for 24 hours."
  })
}

/** What a request may fail with before its shape is looked at. */
export const writeErrors = responses(
  UnsupportedMediaType,
  PayloadTooLarge,
  BadRequest,
  IdempotencyKeyInvalid,
  IdempotencyConflict,
  IdempotencyInProgress,
  ServiceUnavailable
)

/** What every POST of the customer API goes through before its shape is checked: body, then Idempotency-Key. */
export class JsonWrite extends HttpApiMiddleware.Service<
  JsonWrite,
  {
    provides: IdempotencyContext
    requires: CurrentPrincipal
  }
>()("trunkline/http/JsonWrite", { error: writeErrors }) {}

export const replay = ({ status, body, headers }: Omit<KeptAnswer, "fingerprint">) =>
  HttpServerResponse.text(body, {
    status,
    contentType: "application/json",
    headers: { ...headers, "idempotent-replayed": "true" }
  })

type Response = HttpServerResponse.HttpServerResponse

/**
 * Reads the body, and carries out what comes with a key once. Keys are of `scope`, a workspace or a person. What is
 * replayed goes through `again`, which may add what no kept answer holds.
 */
export const makeWrite = Effect.gen(function* () {
  const idempotency = yield* Idempotency
  const vault = yield* Vault
  const inFlight = makeInFlight()

  const keyed = (
    scope: string,
    request: HttpServerRequest.HttpServerRequest,
    route: string,
    header: string,
    document: unknown
  ) =>
    Effect.gen(function* () {
      const key = yield* Effect.fromResult(idempotencyKey(header))
      const canonical = yield* Effect.fromResult(canonicalJson(document))
      const path = request.url.split("?", 1)[0]!
      return {
        workspace_id: scope,
        method: request.method,
        route,
        key,
        fingerprint: idempotency.fingerprint(`${path}\n${canonical}`)
      }
    })

  const once = <E, R, E2, R2>(
    request: IdempotentRequest,
    first: Effect.Effect<Response, E, R>,
    again: (kept: KeptAnswer) => Effect.Effect<Response, E2, R2>
  ) =>
    inFlight.alone(
      request,
      Effect.gen(function* () {
        const kept = yield* Effect.mapError(idempotency.find(request), (cause) => new ServiceUnavailable({ cause }))
        if (kept === undefined) return yield* first
        if (kept.fingerprint !== request.fingerprint) return yield* new IdempotencyConflict()
        return yield* again(openResponse(vault, request.workspace_id, kept))
      })
    )

  return <E, R, E2, R2>(
    endpoint: HttpApiEndpoint.Top,
    scope: string,
    httpEffect: Effect.Effect<Response, E, R>,
    again: (kept: KeptAnswer) => Effect.Effect<Response, E2, R2>
  ) =>
    Effect.gen(function* () {
      const request = yield* HttpServerRequest.HttpServerRequest
      const document = yield* readDocument(request)
      const header = request.headers["idempotency-key"]
      const kept = header === undefined ? undefined : yield* keyed(scope, request, endpoint.path, header, document)
      const first = Effect.provideService(httpEffect, IdempotencyContext, { request: kept })
      return warnOfUnknown(endpoint)(document, yield* kept === undefined ? first : once(kept, first, again))
    })
})

export const JsonWriteLive = Layer.effect(
  JsonWrite,
  Effect.map(makeWrite, (write) =>
    JsonWrite.of((httpEffect, { endpoint }) =>
      Effect.flatMap(CurrentPrincipal, ({ workspace_id }) =>
        write(endpoint, workspace_id, httpEffect, (kept) => Effect.succeed(replay(kept)))
      )
    )
  )
)
