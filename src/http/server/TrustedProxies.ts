import { Context, Effect, Layer, Option } from "effect"
import { HttpServerRequest } from "effect/http"
import { clientAddress } from "../../domain/access/ClientAddress.ts"

/** The proxies in front of the engine. Only their `X-Forwarded-For` is trusted. */
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

/** Serves the request with the address of the client behind the trusted proxies as its remote address. */
export const withClientAddress = <A, E, R>(
  trusted: ReadonlyArray<string>,
  serve: (request: HttpServerRequest.HttpServerRequest) => Effect.Effect<A, E, R>
) =>
  Effect.flatMap(HttpServerRequest.HttpServerRequest, (received) => {
    const request = behindProxies(received, trusted)
    const served = serve(request)
    return request === received ? served : Effect.provideService(served, HttpServerRequest.HttpServerRequest, request)
  })
