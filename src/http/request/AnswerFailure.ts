// Turns what a handler fails with into a response.
import { Effect, Metric } from "effect"
import type { HttpServerResponse } from "effect/http"
import { HttpApiError } from "effect/http-api"
import { Catalog } from "../../domain/errors/Catalog.ts"
import { type Detail, Failure, type FailureClass, type FailureFields } from "../../domain/errors/Failure.ts"
import {
  BadRequest,
  IdempotencyInProgress,
  InternalError,
  ServiceUnavailable
} from "../../domain/errors/GeneralErrors.ts"
import { nearest } from "../../domain/text/Nearest.ts"
import { pointer } from "../../domain/json/JsonPointer.ts"
import { NotCommitted } from "../../domain/errors/NotCommitted.ts"
import { ReadFailed } from "../../domain/errors/ReadFailed.ts"
import { isUnavailable } from "../../domain/errors/Unavailable.ts"
import type { EndpointPolicyOptions } from "./EndpointPolicy.ts"
import { missingKey, requestFaults } from "./ExpectedWords.ts"
import { failureResponse } from "./FailureResponse.ts"
import { RequestTookTooLong } from "./RequestDeadline.ts"
import { RequestId } from "./RequestId.ts"

/** A body may have thousands of unknown members. Comparing all of them with a name would take long. */
const compared_max = 100

const missing = (field: string, unknown: ReadonlyArray<string>): string => {
  const meant = nearest(field, unknown.slice(0, compared_max))
  return meant === undefined
    ? "This member is required."
    : `This member is required. There is an unknown member \`${meant.slice(1)}\`: is it meant?`
}

/** `unknown`: JSON pointers to the members of the request that the endpoint does not know. */
const details = (error: HttpApiError.HttpApiSchemaError, unknown: ReadonlyArray<string> = []): ReadonlyArray<Detail> =>
  requestFaults(error.cause.issue).map(({ path, message }) => {
    const field = pointer(path)
    return message === missingKey
      ? { field, code: "required", message: missing(field, unknown) }
      : { field, code: "invalid", message }
  })

/** The error of a body that does not fit its schema, with the unknown members that may be misspelt. */
export const bodyFailure = <E>(error: E, unknown: () => ReadonlyArray<string>): E | BadRequest =>
  HttpApiError.HttpApiSchemaError.is(error) && error.kind === "Payload"
    ? new BadRequest({ details: details(error, unknown()) })
    : error

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

/** Whether a failure says that the engine failed, whatever the request was. */
const isOurs = ({ _tag }: Failure): boolean => (Catalog.get(_tag)?.status ?? 500) >= 500

/** How long a client waits before it asks again, in seconds. */
const retry_after_seconds = 1

/** What is answered while the database cannot be used: the operation's own failure, if it has one. */
const away = (own: FailureClass | undefined, fields: FailureFields): Failure =>
  own?.status_while_away === undefined
    ? new ServiceUnavailable(fields)
    : new own({ retry_after_seconds, ...fields, away: true })

/** The commit may have happened, so the caller must not believe that nothing did. */
const unknownCommit = {
  message: "The outcome could not be read. It is not known whether the request is carried out.",
  resolution: "Wait as long as Retry-After says, then repeat it with the same Idempotency-Key."
}

/**
 * The failure to answer for any error of an endpoint. While the database cannot be used it is the operation's own
 * failure or `service_unavailable`, with status 503. An error that is not known becomes `internal_error`.
 */
export const toFailure = (error: unknown, policy: EndpointPolicyOptions): Failure => {
  const own = policy.whenReadFails
  if (error instanceof RequestTookTooLong) {
    const { message, resolution } = error
    return away(own, { message, ...(resolution !== undefined && { resolution }) })
  }
  if (error instanceof Failure) {
    if (!isOurs(error) || !isUnavailable(error.cause)) return error
    const declared = Catalog.get(error._tag)
    return away(declared?.status_while_away === undefined ? own : declared, { cause: error })
  }
  if (HttpApiError.HttpApiSchemaError.is(error)) return schemaFailure(error, policy)
  if (error instanceof NotCommitted) {
    return error.reason === "duplicate"
      ? new IdempotencyInProgress()
      : away(own, { cause: error, ...(error.unknown === true && unknownCommit) })
  }
  if (isUnavailable(error)) return away(own, { cause: error })
  if (error instanceof ReadFailed) return new (own ?? InternalError)({ cause: error.cause })
  return new InternalError({ cause: error })
}

const errors = Metric.counter("trunkline_http_errors_total", {
  description: "Error responses, by code (docs/errors.md).",
  incremental: true
})

export const countFailures = (code: string, count: number): Effect.Effect<void> =>
  Metric.update(Metric.withAttributes(errors, { code }), count)

/** Counts from 0 for every code: Prometheus sees no increase in what begins with 1. */
export const countFailuresFromZero: Effect.Effect<void> = Effect.forEach(
  [...Catalog.keys()],
  (code) => Metric.value(Metric.withAttributes(errors, { code })),
  { discard: true }
)

/**
 * Counts a failure, logs it with the id of the request and builds its response. Statuses from 500 are logged as errors,
 * except 503: an engine that is not reachable just now is no defect, and the access log shows it.
 */
export const answerFailure = (failure: Failure): Effect.Effect<HttpServerResponse.HttpServerResponse> =>
  Effect.flatMap(RequestId, (request_id) => {
    const response = failureResponse(failure, request_id)
    const log =
      response.status >= 500 && response.status !== 503
        ? Effect.logError("request failed")
        : Effect.logDebug("request refused")
    const code = failure._tag
    return countFailures(code, 1).pipe(
      Effect.andThen(Effect.annotateLogs(log, { code, request_id, cause: failure.cause })),
      Effect.as(response)
    )
  })

/** Gives a route outside of the customer API the same error responses. */
export const withErrorEnvelope = <E, R>(route: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>) =>
  Effect.catch(route, (error) => answerFailure(toFailure(error, {})))
