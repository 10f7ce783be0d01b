// The process of the engine under test: it starts, serves requests and is killed.
import { Clock, Context, Effect, Exit, type Fiber, Layer, Logger, Scope } from "effect"
import { HttpEffect, HttpRouter, type HttpServerRequest } from "effect/http"
import { engineLayer, type EngineServices, type Surroundings } from "./EngineLayers.ts"
import type { VirtualClock } from "../layers/clock/VirtualClock.ts"

type Handler = (request: Request) => Promise<Response>

/** What `fetch` rejects with when nobody listens, or the connection breaks. */
const noConnection = (code: "ECONNREFUSED" | "ECONNRESET") =>
  new TypeError("fetch failed", { cause: Object.assign(new Error(code), { code }) })

const logToNowhere: ReadonlySet<Logger.Logger<unknown, unknown>> = new Set()

type Missing<R> = Exclude<R, HttpRouter.Request<string, unknown>>

/**
 * What routes need of a request is in the context with which they are run. It does not compile if anything else is
 * missing.
 */
const complete = <A, E, R>(
  layer: Layer.Layer<A, E, R> & ([Missing<R>] extends [never] ? unknown : { readonly missing: Missing<R> })
): Layer.Layer<A, E> => layer as Layer.Layer<A, E>

export class EngineProcess {
  readonly context: Context.Context<EngineServices>
  /** Requests that have no response yet. */
  serving = 0
  private readonly base: Context.Context<never>
  private readonly scope: Scope.Closeable
  private readonly handler: Handler
  private readonly onKill = new Set<() => void>()

  private constructor(
    base: Context.Context<never>,
    scope: Scope.Closeable,
    context: Context.Context<EngineServices>,
    handler: Handler
  ) {
    this.base = base
    this.scope = scope
    this.context = context
    this.handler = handler
  }

  static async start(surroundings: Surroundings, clock: VirtualClock, seed: number): Promise<EngineProcess> {
    const base = contextOn(clock)
    const scope = Scope.makeUnsafe()
    const layer = complete(engineLayer(surroundings, seed))
    const context = await Effect.runPromiseWith(base)(Layer.buildWithScope(layer, scope))
    const routes = Context.get(context, HttpRouter.HttpRouter).asHttpEffect()
    const handler = HttpEffect.toWebHandlerWith<EngineServices, HttpServerRequest.HttpServerRequest | Scope.Scope>(
      Context.merge(context, base)
    )(routes)
    return new EngineProcess(base, scope, context, handler)
  }

  readonly run = <A, E>(effect: Effect.Effect<A, E>): Fiber.Fiber<A, E> => Effect.runForkWith(this.base)(effect)

  runPromise<A, E>(effect: Effect.Effect<A, E, EngineServices>): Promise<A> {
    return Effect.runPromiseWith(this.base)(Effect.provideContext(effect, this.context) as Effect.Effect<A, E>)
  }

  async serve(request: Request): Promise<Response> {
    this.serving++
    let onKill = () => {}
    const killed = new Promise<never>((_, reject) => {
      onKill = () => reject(noConnection("ECONNRESET"))
      this.onKill.add(onKill)
    })
    try {
      return await Promise.race([this.handler(request), killed])
    } finally {
      this.serving--
      this.onKill.delete(onKill)
    }
  }

  /** What the process was doing is not finished, and requests get no response. */
  async end(): Promise<void> {
    for (const kill of this.onKill) kill()
    await Effect.runPromiseWith(this.base)(Scope.close(this.scope, Exit.void))
  }

  static readonly refuse = (): Promise<Response> => Promise.reject(noConnection("ECONNREFUSED"))
}

/** Everything runs on the clock of the test, and logs nothing. */
export const contextOn = (clock: VirtualClock): Context.Context<never> =>
  Context.empty().pipe(
    Context.add(Clock.Clock, clock.service),
    Context.add(Logger.CurrentLoggers, logToNowhere)
  ) as Context.Context<never>
