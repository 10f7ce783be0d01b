// The HTTP server: its listener, its limits and its graceful shutdown.
import { createHash, timingSafeEqual } from "node:crypto"
import type * as Node from "node:http"
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { ByteSize, Duration, Effect, Layer, Redacted, Schedule } from "effect"
import { HttpIncomingMessage, HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { PrometheusMetrics } from "effect/observability"
import { AccessLog } from "../http/server/AccessLog.ts"
import { RequestScopedServer } from "../http/request/RequestServices.ts"
import { Draining } from "../http/request/Draining.ts"
import { frameMax } from "../http/pbx/PbxFeedFrames.ts"
import { RequestTimeout } from "../http/request/RequestDeadline.ts"
import { rateLimitsInCluster } from "../http/request/LeasedQuotas.ts"
import { RateLimits } from "../http/request/RateLimits.ts"
import { ApiKeyInvalid, ApiKeyMissing } from "../domain/errors/ApiKeyErrors.ts"
import { answerFailure, countFailuresFromZero } from "../http/request/AnswerFailure.ts"
import { SecureCookies } from "../http/request/SessionCookie.ts"
import * as DocumentThread from "./DocumentThread.ts"
import { LiveResponse } from "./LiveResponse.ts"
import { makeEarlyRefusal } from "../http/server/EarlyRefusal.ts"
import { HttpApp } from "../http/server/HttpApp.ts"
import { exactPaths } from "../http/request/PathIndex.ts"
import { TrustedProxies } from "../http/server/TrustedProxies.ts"
import { type Connections, followConnections } from "../layers/http-server/Connections.ts"
import { makeNodeServer } from "../layers/http-server/NodeServer.ts"
import { makeEngineGauges } from "../layers/telemetry/EngineGauges.ts"

export interface ServerOptions {
  readonly host: string
  readonly port: number
  readonly rate_limits: boolean
  /** Whether other processes share the limits of a workspace. Default false. */
  readonly cluster?: boolean
  /** How long a request of the customer API may take, in seconds. Default 15. */
  readonly request_timeout_s?: number
  /** How long a stop is announced by /readyz before it begins, in seconds. Default 0. */
  readonly shutdown_delay_s?: number
  /**
   * How long the server listens on at least after its stop began, in milliseconds. Default 250. Tests with a virtual
   * clock, which nobody moves at the end, set 0.
   */
  readonly linger_ms?: number
  /** Whether cookies are sent over https only. Default false. */
  readonly secure_cookies?: boolean
  /** What a scraper of `/metrics` sends as a Bearer token. Default: none is needed. */
  readonly metrics_token?: Redacted.Redacted | undefined
  /** Addresses and CIDR ranges of the proxies whose X-Forwarded-For is trusted. Default: none. */
  readonly trusted_proxies?: ReadonlyArray<string>
  /**
   * At most one ordinary request is logged per interval, in milliseconds. Failed and slow ones are logged beside it.
   * Default 1000.
   */
  readonly log_interval_ms?: number
  /** How often the gauges are updated for the OTLP exporter. Default: only when /metrics is read. */
  readonly gauge_interval?: Duration.Input | undefined
}

/** For every request body. Frames of the PBX feed have their own limit, `frameMax`. */
const max_body = ByteSize.kibibytes(256)
/** How long requests in flight may take to finish once the server stops. */
const drain_timeout = "10 seconds"

const digest = (text: string): Buffer => createHash("sha256").update(text).digest()

/** What is wrong with the token that a scraper sends, if anything. The comparison takes as long wherever it differs. */
const scrapeRefusal = ({ headers }: HttpServerRequest.HttpServerRequest, token: Redacted.Redacted) => {
  const given = /^bearer +(\S+)$/i.exec(headers["authorization"] ?? "")?.[1]
  const resolution = "Send the token of METRICS_TOKEN as Authorization: Bearer."
  if (given === undefined) return new ApiKeyMissing({ message: "The metrics require a token.", resolution })
  return timingSafeEqual(digest(given), digest(Redacted.value(token)))
    ? undefined
    : new ApiKeyInvalid({ message: "This token does not open the metrics.", resolution })
}

const Metrics = ({ gauge_interval, metrics_token }: ServerOptions) =>
  HttpRouter.use(
    Effect.fnUntraced(function* (router) {
      const measure = yield* makeEngineGauges
      yield* countFailuresFromZero
      if (gauge_interval !== undefined)
        yield* Effect.forkScoped(Effect.repeat(measure, Schedule.spaced(gauge_interval)))
      const page = Effect.map(Effect.andThen(measure, PrometheusMetrics.format()), (text) =>
        HttpServerResponse.text(text, { contentType: "text/plain; version=0.0.4; charset=utf-8" })
      )
      const admitted = Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) => {
        const refusal = metrics_token === undefined ? undefined : scrapeRefusal(request, metrics_token)
        return refusal === undefined ? page : answerFailure(refusal)
      })
      yield* router.add("GET", "/metrics", admitted)
    })
  )

/**
 * Built last and therefore closed first. For `shutdown_delay_s`, /readyz fails and everything is served. Then new
 * requests are refused, live streams end, and requests in flight finish before the connections close.
 */
const DrainFirst = (connections: Connections, shutdown_delay_s: number) =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const draining = yield* Draining
      const stop = Effect.gen(function* () {
        yield* draining.announce
        yield* Effect.sleep(Duration.seconds(shutdown_delay_s))
        yield* draining.begin
        yield* Effect.timeoutOption(connections.drain(draining.idle), drain_timeout)
        yield* connections.cut
      })
      yield* Effect.addFinalizer(() => stop)
    })
  )

const rateLimitsOf = ({ cluster, rate_limits }: ServerOptions) => {
  if (!rate_limits) return RateLimits.off
  return cluster === true ? rateLimitsInCluster : RateLimits.on
}

/** The routes on a server of Node, which listens once: a layer that is built again needs another. */
const serve = <E, R>(node: Node.Server, options: ServerOptions, more: Layer.Layer<never, E, R>) =>
  DrainFirst(followConnections(node, options.linger_ms ?? 250), options.shutdown_delay_s ?? 0).pipe(
    Layer.provideMerge(
      HttpRouter.serve(Layer.mergeAll(HttpApp, Metrics(options), more), {
        disableLogger: true,
        disableListenLog: true,
        routerConfig: exactPaths
      })
    ),
    Layer.provideMerge(RequestScopedServer),
    Layer.provideMerge(
      NodeHttpServer.layer(() => node, {
        host: options.host,
        port: options.port,
        backlog: 4096,
        disablePreemptiveShutdown: true,
        websocket: { maxPayload: frameMax }
      })
    )
  )

/** The server of the customer API, with the routes of `more`: the entry points of the PBX and of providers. */
export const Server = <E, R>(options: ServerOptions, more: Layer.Layer<never, E, R>) =>
  Layer.unwrap(
    Effect.map(makeEarlyRefusal, (refusal) =>
      serve(makeNodeServer(options.trusted_proxies, LiveResponse, refusal), options, more)
    )
  ).pipe(
    Layer.provide([
      DocumentThread.layer,
      Draining.layer,
      Layer.succeed(SecureCookies)(options.secure_cookies ?? false),
      Layer.succeed(RequestTimeout)({ timeout_ms: (options.request_timeout_s ?? 15) * 1_000 }),
      TrustedProxies.layer(options.trusted_proxies ?? []),
      rateLimitsOf(options),
      AccessLog.sampled(options.log_interval_ms ?? 1000),
      Layer.succeed(HttpIncomingMessage.MaxBodySize)(max_body)
    ])
  )
