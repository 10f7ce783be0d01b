import { Context, Effect, Layer, Option } from "effect"
import { HttpServerRequest } from "effect/http"
import { clientAddress } from "../../domain/access/ClientAddress.ts"

/** The proxies before the engine. Their `X-Forwarded-For` is believed, and nobody else's. */
export class TrustedProxies extends Context.Service<
  TrustedProxies,
  {
    /** Addresses and CIDR ranges. */
    readonly ranges: ReadonlyArray<string>
  }
>()("trunkline/http/TrustedProxies") {
  static readonly layer = (ranges: ReadonlyArray<string>) => Layer.succeed(TrustedProxies)({ ranges })

  /** Clients connect to the engine directly. */
  static readonly none = TrustedProxies.layer([])
}

const behindProxies = (
  request: HttpServerRequest.HttpServerRequest,
  trusted: ReadonlyArray<string>
): HttpServerRequest.HttpServerRequest => {
  if (trusted.length === 0 || Option.isNone(request.remoteAddress)) return request
  const peer = request.remoteAddress.value
  const client = clientAddress(peer, request.headers["x-forwarded-for"], trusted)
  return client === peer ? request : request.modify({ remoteAddress: Option.some(client) })
}

/** Serves the request as that of who is behind the proxies. */
export const servedBehind = <A, E, R>(
  trusted: ReadonlyArray<string>,
  serve: (request: HttpServerRequest.HttpServerRequest) => Effect.Effect<A, E, R>
) =>
  Effect.flatMap(HttpServerRequest.HttpServerRequest, (connected) => {
    const request = behindProxies(connected, trusted)
    const served = serve(request)
    return request === connected ? served : Effect.provideService(served, HttpServerRequest.HttpServerRequest, request)
  })
