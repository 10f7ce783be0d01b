import { Effect } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import type { HttpApiEndpoint } from "effect/http-api"
import { openResponse } from "../../actors/shared/SealedResponse.ts"
import { NotCommitted } from "../../domain/errors/NotCommitted.ts"
import { IdempotencyConflict, ServiceUnavailable } from "../../domain/errors/GeneralErrors.ts"
import { canonicalJson } from "../../domain/idempotency/CanonicalJson.ts"
import { idempotencyKey } from "../../domain/idempotency/IdempotencyKey.ts"
import type { IdempotentRequest, KeptAnswer } from "../../domain/idempotency/IdempotentRequest.ts"
import { Idempotency } from "../../domain/ports/access/Idempotency.ts"
import { Vault } from "../../domain/ports/engine/Vault.ts"
import { IdempotencyContext } from "./JsonWrite.ts"
import { makeInFlight } from "./InFlight.ts"
import { bodyFailure } from "./AnswerFailure.ts"
import { readDocument, unknownTo, warnOfUnknown } from "./RequestDocument.ts"
import { toWorkspaceId } from "../../domain/BrandedIds.ts"

type Response = HttpServerResponse.HttpServerResponse

const isDuplicate = (error: unknown): boolean => error instanceof NotCommitted && error.reason === "duplicate"

/** A stored response, marked as a replay. */
export const replayedResponse = ({ status, body, headers: kept }: Omit<KeptAnswer, "fingerprint">) => {
  const headers = { ...kept, "idempotent-replayed": "true" }
  return body === ""
    ? HttpServerResponse.empty({ status, headers })
    : HttpServerResponse.text(body, { status, contentType: "application/json", headers })
}

/** Longer tables are fingerprinted beside the thread that serves requests. */
const long_characters = 256 * 1_024

/** The digest of a long table is no JSON, so that no other document has the same text. */
const canonicalText = (document: unknown) =>
  typeof document === "string" && document.length > long_characters
    ? Effect.promise(async () => {
        const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(document))
        return `SHA-256 ${new Uint8Array(digest).join(" ")}`
      })
    : Effect.fromResult(canonicalJson(document))

/** What a response is stored under. */
const requestOf =
  (fingerprintOf: (text: string) => string) =>
  (scope: string, request: HttpServerRequest.HttpServerRequest, route: string, header: string, document: unknown) =>
    Effect.gen(function* () {
      const key = yield* Effect.fromResult(idempotencyKey(header))
      const canonical = yield* canonicalText(document)
      const [path = ""] = request.url.split("?", 1)
      return {
        workspace_id: scope,
        method: request.method,
        route,
        key,
        fingerprint: fingerprintOf(`${path}\n${canonical}`)
      }
    })

/**
 * Reads the JSON body of a request and serves it. A request with an Idempotency-Key is served once; a repetition gets
 * the stored response. `replay` builds that response and may add parts that are never stored, such as a cookie. A key
 * belongs to its `scope`, the id of a workspace or of a person. `read` reads the body if it need not be JSON.
 */
export const makeIdempotentWrite = Effect.gen(function* () {
  const idempotency = yield* Idempotency
  const vault = yield* Vault
  const inFlight = makeInFlight()

  const idempotentRequest = requestOf(idempotency.fingerprint)

  const once = <E, R, E2, R2>(
    request: IdempotentRequest,
    serve: Effect.Effect<Response, E, R>,
    replay: (stored: KeptAnswer) => Effect.Effect<Response, E2, R2>
  ) =>
    inFlight.alone(
      request,
      Effect.gen(function* () {
        const found = Effect.mapError(idempotency.find(request), (cause) => new ServiceUnavailable({ cause }))
        const answer = (stored: KeptAnswer): Effect.Effect<Response, E2 | IdempotencyConflict, R2> =>
          stored.fingerprint === request.fingerprint
            ? replay(openResponse(vault, toWorkspaceId(request.workspace_id), stored))
            : Effect.fail(new IdempotencyConflict())
        const stored = yield* found
        if (stored !== undefined) return yield* answer(stored)
        // A process that takes over an actor may be sent a command that the one before it stored and did not answer.
        const servedBefore = (error: E) =>
          Effect.flatMap(found, (kept): Effect.Effect<Response, E | E2 | IdempotencyConflict, R2> =>
            kept === undefined ? Effect.fail(error) : answer(kept)
          )
        return yield* Effect.catch(
          serve,
          (error): Effect.Effect<Response, E | E2 | IdempotencyConflict | ServiceUnavailable, R2> =>
            isDuplicate(error) ? servedBefore(error) : Effect.fail(error)
        )
      })
    )

  return <E, R, E2, R2>(
    endpoint: HttpApiEndpoint.Top,
    scope: string,
    httpEffect: Effect.Effect<Response, E, R>,
    replay: (stored: KeptAnswer) => Effect.Effect<Response, E2, R2>,
    read: (request: HttpServerRequest.HttpServerRequest) => ReturnType<typeof readDocument> = readDocument
  ) =>
    Effect.gen(function* () {
      const request = yield* HttpServerRequest.HttpServerRequest
      const document = yield* read(request)
      const header = request.headers["idempotency-key"]
      const idempotent =
        header === undefined ? undefined : yield* idempotentRequest(scope, request, endpoint.path, header, document)
      const explained = Effect.mapError(httpEffect, (error) => bodyFailure(error, unknownTo(endpoint, document)))
      const serve = Effect.provideService(explained, IdempotencyContext, { request: idempotent })
      const response = yield* idempotent === undefined ? serve : once(idempotent, serve, replay)
      return warnOfUnknown(endpoint)(document, response)
    })
})
