import { Context, Effect, Layer, Schema, SchemaGetter, SchemaIssue } from "effect"
import type { HttpServerResponse } from "effect/http"
import { HttpApiError, HttpApiMiddleware } from "effect/http-api"
import { type Detail, Failure } from "../../domain/errors/Failure.ts"
import {
  BadRequest,
  IdempotencyInProgress,
  InternalError,
  ServiceUnavailable
} from "../../domain/errors/GeneralErrors.ts"
import { NotCommitted } from "../../domain/errors/NotCommitted.ts"
import { ReadFailed } from "../../domain/errors/ReadFailed.ts"
import { pointer } from "../../domain/json/JsonPointer.ts"
import { RequestId } from "../server/RequestId.ts"
import { failureResponse, responses } from "../api/Responses.ts"
import { type EndpointPolicyOptions, EndpointPolicy } from "../request/EndpointPolicy.ts"

type Unhappy = Failure | NotCommitted | ReadFailed

const isUnhappy = (error: unknown): error is Unhappy =>
  error instanceof Failure || error instanceof NotCommitted || error instanceof ReadFailed

/** Lets handlers fail with anything that the engine fails with. To the document it is what every endpoint can answer. */
const [internal] = responses(InternalError)
const anything = internal!
  .pipe(
    Schema.decodeTo(Schema.declare<Unhappy>(isUnhappy), {
      decode: SchemaGetter.transform((failure): Unhappy => failure),
      encode: SchemaGetter.transform((error) => new InternalError({ cause: error }))
    })
  )
  .annotate({ httpApiStatus: 500, description: `\`${InternalError.code}\`: ${InternalError.summary}` })

/**
 * Whatever an endpoint fails with becomes the error envelope here, so that handlers map nothing; what an endpoint may
 * answer stands in its own contract.
 */
export class Answers extends HttpApiMiddleware.Service<Answers>()("trunkline/http/Answers", {
  error: [anything, ...responses(ServiceUnavailable)]
}) {}

const format = SchemaIssue.makeFormatterStandardSchemaV1()

const details = (error: HttpApiError.HttpApiSchemaError): ReadonlyArray<Detail> =>
  format(error.cause.issue).issues.map(({ path, message }) => ({
    field: pointer(path ?? []),
    code: message === "Missing key" ? "required" : "invalid",
    message
  }))

const badShape = (error: HttpApiError.HttpApiSchemaError, { absent }: EndpointPolicyOptions): Failure => {
  switch (error.kind) {
    case "Params":
      return absent === undefined ? new BadRequest({ details: details(error) }) : new absent()
    case "Query":
    case "Headers":
    case "Payload":
      return new BadRequest({ details: details(error) })
    default:
      return new InternalError({ cause: error })
  }
}

export const toFailure = (error: unknown, rules: EndpointPolicyOptions): Failure => {
  if (error instanceof Failure) return error
  if (HttpApiError.HttpApiSchemaError.is(error)) return badShape(error, rules)
  if (error instanceof NotCommitted) {
    return error.reason === "duplicate" ? new IdempotencyInProgress() : new ServiceUnavailable({ cause: error })
  }
  if (error instanceof ReadFailed) return new (rules.unread ?? InternalError)({ cause: error.cause })
  return new InternalError({ cause: error })
}

/**
 * The response of a failure. What is our own fault goes to the log with the request's id; that the engine cannot be
 * reached just now is no fault, and there is a line of it in the access log.
 */
export const answer = (failure: Failure): Effect.Effect<HttpServerResponse.HttpServerResponse> =>
  Effect.flatMap(RequestId, (request_id) => {
    const response = failureResponse(failure, request_id)
    const log =
      response.status >= 500 && response.status !== 503
        ? Effect.logError("request failed")
        : Effect.logDebug("request refused")
    return Effect.as(Effect.annotateLogs(log, { code: failure._tag, request_id, cause: failure.cause }), response)
  })

/** A route beside the customer API, which answers as that does. */
export const served = <E, R>(route: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>) =>
  Effect.catch(route, (error) => answer(toFailure(error, {})))

export const AnswersLive = Layer.succeed(Answers)((httpEffect, { endpoint }) => {
  const rules = Context.get(endpoint.annotations, EndpointPolicy)
  return Effect.catch(httpEffect, (error) => answer(toFailure(error, rules)))
})
