// The HTTP server over the engine: everything that listens, and how it goes away.
import { NodeHttpServer } from "@effect/platform-node"
import { ByteSize, type Duration, Effect, Latch, Layer, Schedule } from "effect"
import { HttpIncomingMessage, HttpRouter, HttpServerResponse } from "effect/http"
import { PrometheusMetrics } from "effect/observability"
import { AccessLog } from "../http/server/AccessLog.ts"
import { CarefulServer } from "../http/server/RequestServices.ts"
import { Draining } from "../http/server/Draining.ts"
import { frameMax } from "../http/pbx/PbxFeedFrames.ts"
import { RateLimits } from "../http/request/RateLimits.ts"
import { SecureCookies } from "../http/request/SessionCookie.ts"
import { HttpApp } from "../http/server/HttpApp.ts"
import { TrustedProxies } from "../http/server/TrustedProxies.ts"
import { makeNodeServer } from "../layers/http-server/NodeServer.ts"
import { makeEngineGauges } from "../layers/telemetry/EngineGauges.ts"

export interface ServerOptions {
  readonly host: string
  readonly port: number
  readonly rate_limits: boolean
  /** Whether cookies go over https alone. Default: they do not. */
  readonly secure_cookies?: boolean
  /** Whose X-Forwarded-For is believed: addresses and CIDR ranges. Default: nobody's. */
  readonly trusted_proxies?: ReadonlyArray<string>
  /** Of the ordinary requests one is logged each so many milliseconds; failed and slow ones always are. */
  readonly log_interval_ms?: number
  /** How often the gauges are set for those who do not read the metrics page. Default: for its readers alone. */
  readonly measure_each?: Duration.Input | undefined
}

/** Of every request but a PBX feed's frames. */
const max_body = ByteSize.kibibytes(256)
/** How long requests in flight may take to finish once the server stops. */
const drain_timeout = "10 seconds"

const DrainingLive = Layer.sync(Draining, () => {
  const begun = Latch.makeUnsafe(false)
  const idle = Latch.makeUnsafe(true)
  let is = false
  let under_way = 0
  return Draining.of({
    begin: Effect.suspend(() => {
      is = true
      return begun.open
    }),
    begun: () => is,
    wait: begun.await,
    entered: () => {
      if (under_way++ === 0) idle.closeUnsafe()
    },
    left: () => {
      if (--under_way === 0) idle.openUnsafe()
    },
    idle: idle.await
  })
})

const Metrics = ({ measure_each }: ServerOptions) =>
  HttpRouter.use(
    Effect.fnUntraced(function* (router) {
      const measure = yield* makeEngineGauges
      if (measure_each !== undefined) yield* Effect.forkScoped(Effect.repeat(measure, Schedule.spaced(measure_each)))
      const page = Effect.map(Effect.andThen(measure, PrometheusMetrics.format()), (text) =>
        HttpServerResponse.text(text, { contentType: "text/plain; version=0.0.4; charset=utf-8" })
      )
      yield* router.add("GET", "/metrics", page)
    })
  )

/**
 * Built last and so closed first: before the socket closes, readiness turns, new requests are turned away, the streams
 * are told to end, and what is under way is finished.
 */
const DrainFirst = Layer.effectDiscard(
  Effect.gen(function* () {
    const draining = yield* Draining
    yield* Effect.addFinalizer(() => Effect.andThen(draining.begin, Effect.timeoutOption(draining.idle, drain_timeout)))
  })
)

/** Routes that a composition adds to the site are given as `more`: the doors of the PBX. */
export const Server = <E, R>(options: ServerOptions, more: Layer.Layer<never, E, R>) =>
  DrainFirst.pipe(
    Layer.provideMerge(
      HttpRouter.serve(Layer.mergeAll(HttpApp, Metrics(options), more), { disableLogger: true, disableListenLog: true })
    ),
    Layer.provideMerge(CarefulServer),
    Layer.provideMerge(
      NodeHttpServer.layer(makeNodeServer, {
        host: options.host,
        port: options.port,
        backlog: 1024,
        gracefulShutdownTimeout: drain_timeout,
        websocket: { maxPayload: frameMax }
      })
    ),
    Layer.provide([
      DrainingLive,
      Layer.succeed(SecureCookies)(options.secure_cookies ?? false),
      TrustedProxies.layer(options.trusted_proxies ?? []),
      options.rate_limits ? RateLimits.on : RateLimits.off,
      AccessLog.sampled(options.log_interval_ms ?? 1000),
      Layer.succeed(HttpIncomingMessage.MaxBodySize)(max_body)
    ])
  )
