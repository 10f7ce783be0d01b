// Turns what a handler fails with into a response.
import { Effect, SchemaIssue } from "effect"
import type { HttpServerResponse } from "effect/http"
import { HttpApiError } from "effect/http-api"
import { type Detail, Failure } from "../../domain/errors/Failure.ts"
import {
  BadRequest,
  IdempotencyInProgress,
  InternalError,
  ServiceUnavailable
} from "../../domain/errors/GeneralErrors.ts"
import { pointer } from "../../domain/json/JsonPointer.ts"
import { NotCommitted } from "../../domain/errors/NotCommitted.ts"
import { ReadFailed } from "../../domain/errors/ReadFailed.ts"
import type { EndpointPolicyOptions } from "./EndpointPolicy.ts"
import { failureResponse } from "./FailureResponse.ts"
import { RequestId } from "./RequestId.ts"

const format = SchemaIssue.makeFormatterStandardSchemaV1()

const details = (error: HttpApiError.HttpApiSchemaError): ReadonlyArray<Detail> =>
  format(error.cause.issue).issues.map(({ path, message }) => ({
    field: pointer(path ?? []),
    code: message === "Missing key" ? "required" : "invalid",
    message
  }))

const schemaFailure = (error: HttpApiError.HttpApiSchemaError, { whenIdMalformed }: EndpointPolicyOptions): Failure => {
  switch (error.kind) {
    case "Params":
      return whenIdMalformed === undefined ? new BadRequest({ details: details(error) }) : new whenIdMalformed()
    case "Query":
    case "Headers":
    case "Payload":
      return new BadRequest({ details: details(error) })
    default:
      return new InternalError({ cause: error })
  }
}

/** The failure to answer for any error of an endpoint. An error that is not known becomes `internal_error`. */
export const toFailure = (error: unknown, policy: EndpointPolicyOptions): Failure => {
  if (error instanceof Failure) return error
  if (HttpApiError.HttpApiSchemaError.is(error)) return schemaFailure(error, policy)
  if (error instanceof NotCommitted) {
    return error.reason === "duplicate" ? new IdempotencyInProgress() : new ServiceUnavailable({ cause: error })
  }
  if (error instanceof ReadFailed) return new (policy.whenReadFails ?? InternalError)({ cause: error.cause })
  return new InternalError({ cause: error })
}

/**
 * Logs a failure with the id of the request and builds its response. Statuses from 500 are logged as errors, except
 * 503: an engine that is not reachable just now is no defect, and the access log shows it.
 */
export const answerFailure = (failure: Failure): Effect.Effect<HttpServerResponse.HttpServerResponse> =>
  Effect.flatMap(RequestId, (request_id) => {
    const response = failureResponse(failure, request_id)
    const log =
      response.status >= 500 && response.status !== 503
        ? Effect.logError("request failed")
        : Effect.logDebug("request refused")
    return Effect.as(Effect.annotateLogs(log, { code: failure._tag, request_id, cause: failure.cause }), response)
  })

/** Gives a route outside of the customer API the same error responses. */
export const withErrorEnvelope = <E, R>(route: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>) =>
  Effect.catch(route, (error) => answerFailure(toFailure(error, {})))
