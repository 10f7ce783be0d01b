// The outermost layer: what holds for every response, and the answers to requests that no endpoint takes.
import { Cause, Clock, Effect } from "effect"
import { HttpRouter, HttpServerError, type HttpServerRequest, HttpServerResponse } from "effect/http"
import { Failure } from "../../domain/errors/Failure.ts"
import {
  BadRequest,
  ExpectationFailed,
  InternalError,
  MethodNotAllowed,
  NotFound,
  ServiceUnavailable
} from "../../domain/errors/GeneralErrors.ts"
import { Ids } from "../../domain/ports/Ids.ts"
import { AccessLog } from "./AccessLog.ts"
import { Draining } from "./Draining.ts"
import { answerFailure } from "../request/AnswerFailure.ts"
import { type KnownRoute, makePathIndex } from "./PathIndex.ts"
import { RequestId } from "../request/RequestId.ts"
import { servedBehind, TrustedProxies } from "./TrustedProxies.ts"

/** The version of the interface that the responses speak. */
export const service_version = "2026-10-01"

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** The router takes HEAD for GET; the interface does not. */
const unsupported = new Set(["HEAD", "OPTIONS"])

/** What may be expected of a server. RFC 9110, section 10.1.1. */
const continues = "100-continue"

/** Who balances load must see that the server stops. */
const openToTheEnd = new Set(["/healthz", "/readyz"])

/** RFC 9112, section 3.2: a request of HTTP/1.1 says for whom it is. */
const lacksHost = ({ headers, source }: HttpServerRequest.HttpServerRequest): boolean =>
  headers["host"] === undefined && "httpVersion" in source && source.httpVersion === "1.1"

/** What is wrong with the head of a request, whatever it asks for. */
const headFault = (request: HttpServerRequest.HttpServerRequest): Failure | undefined => {
  if (lacksHost(request)) {
    return new BadRequest({ message: "The header Host is missing.", resolution: "Every request of HTTP/1.1 needs it." })
  }
  return (request.headers["expect"] ?? continues).toLowerCase() === continues ? undefined : new ExpectationFailed()
}

/** The client went away before it was answered. */
const status_aborted = 499

const isUnrouted = (error: unknown): boolean =>
  HttpServerError.isHttpServerError(error) && error.reason._tag === "RouteNotFound"

const headersOf = (request_id: string, stopping: boolean): Record<string, string> => ({
  "x-request-id": request_id,
  "x-service-version": service_version,
  // A kept-alive connection would bring new requests to a server that goes away.
  ...(stopping && { connection: "close" })
})

/** The answers that no endpoint gives. `routes` are all that the server has. */
const makeAnswers = (routes: Iterable<KnownRoute>, draining: Draining["Service"]) => {
  const methodsOf = makePathIndex(routes)

  /** 405 where the path exists with another method, 404 elsewhere. */
  const unrouted = ({ url }: HttpServerRequest.HttpServerRequest) => {
    const methods = methodsOf(url)
    return methods.length === 0
      ? answerFailure(new NotFound())
      : Effect.map(answerFailure(new MethodNotAllowed()), HttpServerResponse.setHeader("allow", methods.join(", ")))
  }

  const unhandled = (request: HttpServerRequest.HttpServerRequest, cause: Cause.Cause<unknown>) => {
    const error = Cause.squash(cause)
    if (isUnrouted(error)) return unrouted(request)
    // A service whose methods declare no error dies with the failure that the client receives.
    return answerFailure(error instanceof Failure ? error : new InternalError({ cause: Cause.pretty(cause) }))
  }

  /** The answer to a request that is refused before an endpoint is looked up; otherwise undefined. */
  const refusal = (request: HttpServerRequest.HttpServerRequest) => {
    const fault = headFault(request)
    if (fault !== undefined) return answerFailure(fault)
    if (unsupported.has(request.method) && !methodsOf(request.url).includes(request.method)) return unrouted(request)
    if (draining.begun() && !openToTheEnd.has(request.url)) {
      return answerFailure(new ServiceUnavailable({ message: "The engine is stopping." }))
    }
    return undefined
  }

  return { refusal, unhandled }
}

/** `routes` are all that the server has: a path among them with another method is a 405. */
export const edge = (routes: Iterable<KnownRoute>) =>
  HttpRouter.middleware(
    Effect.gen(function* () {
      const ids = yield* Ids
      const log = yield* AccessLog
      const draining = yield* Draining
      const { ranges } = yield* TrustedProxies
      const { refusal, unhandled } = makeAnswers(routes, draining)

      const serve = <E, R>(
        request: HttpServerRequest.HttpServerRequest,
        httpEffect: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>,
        clock: Clock.Clock
      ) => {
        const started_at = clock.currentTimeMillisUnsafe()
        const given = request.headers["x-request-id"]
        const request_id = given !== undefined && uuid.test(given) ? given : ids.uuid()
        draining.entered()
        const served = (status: number) => {
          draining.left()
          const at = clock.currentTimeMillisUnsafe()
          return log.served({
            request_id,
            method: request.method,
            url: request.url,
            status,
            duration_ms: at - started_at,
            at
          })
        }
        const finish = (response: HttpServerResponse.HttpServerResponse) =>
          Effect.as(
            served(response.status),
            HttpServerResponse.setHeaders(response, headersOf(request_id, draining.begun()))
          )
        return Effect.provideService(
          Effect.matchCauseEffect(refusal(request) ?? httpEffect, {
            onSuccess: finish,
            onFailure: (cause) =>
              Cause.hasInterruptsOnly(cause)
                ? Effect.andThen(served(status_aborted), Effect.failCause(cause))
                : Effect.flatMap(unhandled(request, cause), finish)
          }),
          RequestId,
          request_id
        )
      }

      return (httpEffect: Effect.Effect<HttpServerResponse.HttpServerResponse, unknown, HttpRouter.GlobalProvided>) =>
        servedBehind(ranges, (request) => Clock.clockWith((clock) => serve(request, httpEffect, clock)))
    }),
    { global: true }
  )
