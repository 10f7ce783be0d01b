// What a request carries with it. Effect copies the context of a request, service by service, when it comes to its handler:
// what the engine is made of, a hundred services, stays with those who are built of it.
import { Context, Effect, Layer, Scope } from "effect"
import { type HttpRouter, HttpServer } from "effect/http"
import { type HttpApi, HttpApiBuilder, type HttpApiGroup } from "effect/http-api"
import { PbxIngest } from "../../actors/ingest/PbxIngest.ts"
import { ActorSystem } from "../../actors/runtime/ActorSystem.ts"
import { Webrtc } from "../../actors/webrtc/Webrtc.ts"
import { CursorSigner } from "../../domain/ports/CursorSigner.ts"
import { Ids } from "../../domain/ports/Ids.ts"
import { PbxAuth } from "../../domain/ports/PbxAuth.ts"
import { SipUpstream } from "../../domain/ports/SipUpstream.ts"
import type { Draining } from "./Draining.ts"
import type { RateLimits } from "../request/RateLimits.ts"
import type { SecureCookies } from "../request/SessionCookie.ts"

/** All that is asked for while a request is served, beside what is of this folder. */
const carried = [ActorSystem, CursorSigner, Ids, PbxAuth, PbxIngest, SipUpstream, Webrtc]
const carriedKeys: ReadonlySet<string> = new Set(carried.map(({ key }) => key))

type Identifier<Key> = Key extends Context.Key<infer I, infer _S> ? I : never
/** Of this folder are those beside them in the types: middleware is not asked for, but found when an endpoint is built. */
type Carried = Identifier<(typeof carried)[number]> | Draining | RateLimits | SecureCookies

const ofTheEngine = /^trunkline\/(?:actors|domain\/ports|layers)\//

const without =
  (isLeft: (key: string) => boolean) =>
  <R>(context: Context.Context<R>): Context.Context<R> =>
    Context.makeUnsafe(new Map([...context.mapUnsafe].filter(([key]) => !isLeft(key))))

const ofRequests = without((key) => ofTheEngine.test(key) && !carriedKeys.has(key))
/** Its middleware. All else that an endpoint asks for comes with its request. */
const ofEndpoints = without((key) => !key.startsWith("trunkline/http/"))

/** The server that is provided, whose requests carry what they may ask for and no more. */
export const CarefulServer = Layer.effect(
  HttpServer.HttpServer,
  Effect.map(HttpServer.HttpServer, (server) =>
    HttpServer.make({
      ...server,
      serve: ((...app: Parameters<typeof server.serve>) =>
        Effect.updateContext(server.serve(...app), ofRequests)) as typeof server.serve
    })
  )
)

/** Does not compile where a handler or a route asks its request for what that does not carry: it finds that when it is built. */
export const onlyRequestServices = <A, E, R>(
  routes: Layer.Layer<A, E, R> &
    ([Exclude<HttpRouter.Request.Only<"Requires", R>, Carried>] extends [never]
      ? unknown
      : "a request does not carry this")
): Layer.Layer<A, E, R> => routes

/** `HttpApiBuilder.group`, built with everything that is there, and served with what a request carries. */
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
    return Effect.updateContext(building, ofEndpoints<Exclude<Needed, Scope.Scope>>)
  })
  return Layer.effectContext(built)
}
