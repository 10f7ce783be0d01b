// The outermost middleware: headers of every response, the access log, and responses to requests that reach no
// endpoint.
import { Cause, Clock, Effect } from "effect"
import { HttpRouter, HttpServerError, type HttpServerRequest, HttpServerResponse } from "effect/http"
import type { Failure } from "../../domain/errors/Failure.ts"
import {
  BadRequest,
  ExpectationFailed,
  InternalError,
  MethodNotAllowed,
  NotFound,
  ServiceUnavailable
} from "../../domain/errors/GeneralErrors.ts"
import { Ids } from "../../domain/ports/engine/Ids.ts"
import { AccessLog } from "./AccessLog.ts"
import { Draining } from "../request/Draining.ts"
import { answerFailure, toFailure } from "../request/AnswerFailure.ts"
import { makeNearestRoute } from "./NearestRoute.ts"
import { isMisspelt, type KnownRoute, makePathIndex } from "../request/PathIndex.ts"
import { Overload } from "../request/Overload.ts"
import { RequestId } from "../request/RequestId.ts"
import { requestIdOf, responseHeaders, versions } from "./ResponseHeaders.ts"
import { SecureCookies } from "../request/SessionCookie.ts"
import { withClientAddress, TrustedProxies } from "./TrustedProxies.ts"

/** Whether the route has a version in its path. */
const isVersioned = ({ url }: HttpServerRequest.HttpServerRequest): boolean => url.startsWith("/v1/")

/** Whether the request names a version that is not supported. A client that relies on one must not get another. */
const pinsUnsupported = (request: HttpServerRequest.HttpServerRequest): boolean => {
  const pinned = request.headers["x-service-version"]
  return pinned !== undefined && isVersioned(request) && !versions.some((version) => version === pinned)
}

/** The router would serve HEAD like GET; the interface has neither. */
const unsupported = new Set(["HEAD", "OPTIONS"])

/** The only value of Expect that is supported (RFC 9110, section 10.1.1). */
const supportedExpectation = "100-continue"

/** Served during the shutdown too, so that a load balancer sees it. */
const servedWhileStopping = new Set(["/healthz", "/readyz"])

/** HTTP/1.1 requires the header Host (RFC 9112, section 3.2). */
const lacksHost = ({ headers, source }: HttpServerRequest.HttpServerRequest): boolean =>
  headers["host"] === undefined && "httpVersion" in source && source.httpVersion === "1.1"

/** Headers that must not be there twice: Node and a proxy in front may each take another one. */
const singleHeaders = ["authorization", "host", "content-type"]

/** The name of a header that is there twice, but must not be; otherwise undefined. */
const repeatedHeader = ({ source }: HttpServerRequest.HttpServerRequest): string | undefined => {
  if (!("rawHeaders" in source) || !Array.isArray(source.rawHeaders)) return undefined
  const names = source.rawHeaders.filter((_, index) => index % 2 === 0).map((name) => String(name).toLowerCase())
  return singleHeaders.find((name) => names.indexOf(name) !== names.lastIndexOf(name))
}

/** The error of a request whose headers are invalid for every route; otherwise undefined. */
const headFault = (request: HttpServerRequest.HttpServerRequest): Failure | undefined => {
  if (lacksHost(request)) {
    return new BadRequest({ message: "The header Host is missing.", resolution: "Send it: HTTP/1.1 requires it." })
  }
  const repeated = repeatedHeader(request)
  if (repeated !== undefined) {
    return new BadRequest({ message: `The header ${repeated} is there twice.`, resolution: "Send it once." })
  }
  if (pinsUnsupported(request)) {
    return new BadRequest({
      message: "This version of the interface is not supported.",
      details: [
        { field: "X-Service-Version", code: "unsupported_version", message: `Expected ${versions.join(" or ")}.` }
      ],
      resolution: `Supported: ${versions.join(", ")}. Without the header the latest one applies.`
    })
  }
  return (request.headers["expect"] ?? supportedExpectation).toLowerCase() === supportedExpectation
    ? undefined
    : new ExpectationFailed()
}

/** Logged when the client disconnects before the response. */
const status_aborted = 499

const isUnrouted = (error: unknown): boolean =>
  HttpServerError.isHttpServerError(error) && error.reason._tag === "RouteNotFound"

/** The error responses of requests that reach no endpoint. `routes` are all routes of the server. */
const makeErrorResponses = (routes: Iterable<KnownRoute>, draining: Draining["Service"]) => {
  const known = [...routes]
  const methodsOf = makePathIndex(known)
  const nearestRoute = makeNearestRoute(known)

  const notFound = (url: string) => {
    const route = nearestRoute(url)
    return answerFailure(new NotFound(route === undefined ? {} : { resolution: `Did you mean ${route}?` }))
  }

  /** 405 where the path exists with another method, 404 elsewhere. */
  const unrouted = ({ url }: HttpServerRequest.HttpServerRequest) => {
    const methods = methodsOf(url)
    return methods.length === 0
      ? notFound(url)
      : Effect.map(answerFailure(new MethodNotAllowed()), HttpServerResponse.setHeader("allow", methods.join(", ")))
  }

  const unhandled = (request: HttpServerRequest.HttpServerRequest, cause: Cause.Cause<unknown>) => {
    const error = Cause.squash(cause)
    if (isUnrouted(error)) return unrouted(request)
    // A service whose methods declare no error dies with a Failure. The client receives it.
    const failure = toFailure(error, {})
    return answerFailure(failure instanceof InternalError ? new InternalError({ cause: Cause.pretty(cause) }) : failure)
  }

  /** The response to a request that is refused before an endpoint is looked up; otherwise undefined. */
  const refusal = (request: HttpServerRequest.HttpServerRequest) => {
    const fault = headFault(request)
    if (fault !== undefined) return answerFailure(fault)
    if (isMisspelt(request.url)) return notFound(request.url)
    if (unsupported.has(request.method) && !methodsOf(request.url).includes(request.method)) return unrouted(request)
    if (draining.hasBegun() && !servedWhileStopping.has(request.url)) {
      return answerFailure(new ServiceUnavailable({ message: "The engine is stopping." }))
    }
    return undefined
  }

  return { refusal, unhandled }
}

/** `routes` are all routes of the server. A request for one of their paths with another method gets a 405. */
export const edge = (routes: Iterable<KnownRoute>) =>
  HttpRouter.middleware(
    Effect.gen(function* () {
      const ids = yield* Ids
      const log = yield* AccessLog
      const draining = yield* Draining
      const overload = yield* Overload
      const { ranges } = yield* TrustedProxies
      const secure = yield* SecureCookies
      const { refusal, unhandled } = makeErrorResponses(routes, draining)

      const serve = <E, R>(
        request: HttpServerRequest.HttpServerRequest,
        httpEffect: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>,
        clock: Clock.Clock
      ) => {
        const started_at = clock.currentTimeMillisUnsafe()
        const request_id = requestIdOf(request.headers["x-request-id"], ids)
        draining.requestStarted()
        overload.began()
        const recordEnd = (status: number) => {
          draining.requestFinished()
          overload.ended()
          const at = clock.currentTimeMillisUnsafe()
          return log.record({
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
            recordEnd(response.status),
            HttpServerResponse.setHeaders(response, responseHeaders(request_id, secure, draining.isAnnounced()))
          )
        return Effect.provideService(
          Effect.matchCauseEffect(refusal(request) ?? httpEffect, {
            onSuccess: finish,
            onFailure: (cause) =>
              Cause.hasInterruptsOnly(cause)
                ? Effect.andThen(recordEnd(status_aborted), Effect.failCause(cause))
                : Effect.flatMap(unhandled(request, cause), finish)
          }),
          RequestId,
          request_id
        )
      }

      return (httpEffect: Effect.Effect<HttpServerResponse.HttpServerResponse, unknown, HttpRouter.GlobalProvided>) =>
        withClientAddress(ranges, (request) => Clock.clockWith((clock) => serve(request, httpEffect, clock)))
    }),
    { global: true }
  )
