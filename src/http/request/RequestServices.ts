// The services that a request carries. Effect copies a request's services one by one when it reaches its handler. The
// engine has about a hundred, so handlers get theirs when they are built, and a request carries only the few named
// here.
import { Context, Effect, Layer, Scope } from "effect"
import { type HttpRouter, HttpServer } from "effect/http"
import { type HttpApi, HttpApiBuilder, type HttpApiGroup } from "effect/http-api"
import { PbxIngest } from "../../actors/ingest/PbxIngest.ts"
import { ActorSystem } from "../../actors/runtime/ActorSystem.ts"
import { Webrtc } from "../../actors/webrtc/Webrtc.ts"
import { CursorSigner } from "../../domain/paging/CursorSigner.ts"
import { Ids } from "../../domain/ports/engine/Ids.ts"
import { PbxAuth } from "../../domain/ports/pbx/PbxAuth.ts"
import { SipUpstream } from "../../domain/ports/pbx/SipUpstream.ts"
import { Draining } from "./Draining.ts"
import { RateLimits } from "./RateLimits.ts"
import { SecureCookies } from "./SessionCookie.ts"

/** The services of the engine that code reads from its request. Middleware is resolved when an endpoint is built. */
const carried = [
  ActorSystem,
  CursorSigner,
  Draining,
  Ids,
  PbxAuth,
  PbxIngest,
  RateLimits,
  SecureCookies,
  SipUpstream,
  Webrtc
]
const carriedKeys: ReadonlySet<string> = new Set(carried.map(({ key }) => key))

type Identifier<Key> = Key extends Context.Key<infer I, infer _S> ? I : never
type Carried = Identifier<(typeof carried)[number]>

/** Services of the process, such as its files and its database, which are read when routes are built, if at all. */
const ofTheProcess =
  /^(?:@effect\/|~effect\/Stdio|effect\/(?:FileSystem|Layer|Path|Terminal|process|sql)|effect\/http\/(?:Etag|HttpPlatform|HttpServer)(?:\/|$))/

const without =
  (isRemoved: (key: string) => boolean) =>
  <R>(context: Context.Context<R>): Context.Context<R> =>
    Context.makeUnsafe(new Map([...context.mapUnsafe].filter(([key]) => !isRemoved(key))))

const onlyCarried = without((key) => ofTheProcess.test(key) || (key.startsWith("trunkline/") && !carriedKeys.has(key)))
interface WithEndpoints {
  readonly endpoints: Readonly<Record<string, { readonly middlewares: ReadonlySet<{ readonly key: string }> }>>
}
/** A group is a class. */
const hasEndpoints = (group: unknown): group is WithEndpoints => typeof group === "function" && "endpoints" in group

/** Leaves the middleware of the group's endpoints. Everything else comes with their requests. */
const onlyMiddlewareOf = (group: unknown) => {
  const endpoints = hasEndpoints(group) ? Object.values(group.endpoints) : []
  const middlewares = endpoints.flatMap((endpoint) => [...endpoint.middlewares])
  const keys: ReadonlySet<string> = new Set(middlewares.map(({ key }) => key))
  return without((key) => !keys.has(key))
}

/** Wraps the provided server, so that its requests carry only the services that they may use. */
export const RequestScopedServer = Layer.effect(
  HttpServer.HttpServer,
  Effect.map(HttpServer.HttpServer, (server) =>
    HttpServer.make({
      ...server,
      serve: ((...app: Parameters<typeof server.serve>) =>
        Effect.updateContext(server.serve(...app), onlyCarried)) as typeof server.serve
    })
  )
)

/**
 * Returns the routes unchanged. It does not compile if one of them needs a service that a request does not carry: such
 * a service must be read when the route is built.
 */
export const onlyRequestServices = <A, E, R>(
  routes: Layer.Layer<A, E, R> &
    ([Exclude<HttpRouter.Request.Only<"Requires", R>, Carried>] extends [never]
      ? unknown
      : "a request does not carry this")
): Layer.Layer<A, E, R> => routes

/** Like `HttpApiBuilder.group`. The handlers are built with all services and run with those that a request carries. */
export const group = <
  ApiId extends string,
  Groups extends HttpApiGroup.Constraint,
  const Name extends HttpApiGroup.Identifier<Groups>,
  Return
>(
  api: HttpApi.HttpApi<ApiId, Groups>,
  name: Name,
  build: (
    handlers: HttpApiBuilder.Handlers.FromGroup<HttpApiGroup.WithIdentifier<Groups, Name>>
  ) => HttpApiBuilder.Handlers.ValidateReturn<Return>
): ReturnType<typeof HttpApiBuilder.group<ApiId, Groups, Name, Return>> => {
  type Needed = HttpApiBuilder.Handlers.Context<Return>
  type Building = Effect.Effect<Return, HttpApiBuilder.Handlers.Error<Return>, Needed>
  const built = Effect.contextWith((all: Context.Context<Needed | Scope.Scope>) => {
    const withAll: typeof build = (handlers) => {
      const made: unknown = build(handlers)
      return (Effect.isEffect(made) ? Effect.provideContext(made as Building, all) : made) as ReturnType<typeof build>
    }
    const building = Layer.buildWithScope(HttpApiBuilder.group(api, name, withAll), Context.get(all, Scope.Scope))
    return Effect.updateContext(building, onlyMiddlewareOf(api.groups[name])<Exclude<Needed, Scope.Scope>>)
  })
  return Layer.effectContext(built)
}
