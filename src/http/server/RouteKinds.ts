// What a request is for an engine that has too much to do, by its request line alone.
import { Context } from "effect"
import { FindMyWay, type HttpRouter } from "effect/http"
import { HttpApi } from "effect/http-api"
import type { Sheddable } from "../../domain/journal/Shedding.ts"
import { Api } from "../api/Api.ts"
import { EndpointPolicy } from "../request/EndpointPolicy.ts"
import { exactPaths } from "../request/PathIndex.ts"
import { sheddable } from "../request/Sheddable.ts"

interface RouteKind {
  /** Absent: it is refused only when too many requests are in work. */
  readonly shed?: Sheddable
}

/**
 * Undefined for what is always served: what ends work, and all routes outside of the customer API. The PBX, providers
 * and those who watch the engine cannot be told to come back later, or find out too late.
 */
export const makeRouteKinds = (): ((method: string, url: string) => RouteKind | undefined) => {
  const indexes = new Map<string, FindMyWay.Router<RouteKind>>()
  HttpApi.reflect(Api, {
    onGroup: () => {},
    onEndpoint: ({ endpoint }) => {
      if (Context.get(endpoint.annotations, EndpointPolicy).endsWork === true) return
      const { method, path } = endpoint
      const index = indexes.get(method) ?? FindMyWay.make<RouteKind>(exactPaths)
      indexes.set(method, index)
      const shed = sheddable(endpoint)
      index.on("GET", path as HttpRouter.PathInput, shed === undefined ? {} : { shed })
    }
  })
  return (method, url) => indexes.get(method)?.find("GET", url)?.handler
}
