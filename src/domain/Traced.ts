// Spans named after functions, which cost nothing if tracing is off (docs/operations.md, "A trace of one call").
import { Effect, type Fiber, type Tracer } from "effect"

/**
 * Whether spans go anywhere: a tracer was provided (`OTLP_URL`), and tracing is not switched off. It reads what the
 * fiber has cached. `context.mapUnsafe` would copy all services of a request at each call.
 */
export const isTraced = ({ cache }: Fiber.Fiber<unknown, unknown>): boolean =>
  cache.tracer !== undefined && cache.tracerEnabled

type Body = (...args: ReadonlyArray<unknown>) => Effect.Effect<unknown, unknown, unknown>
type Step = (effect: unknown, ...args: ReadonlyArray<unknown>) => Effect.Effect<unknown, unknown, unknown>

const isGenerator = (body: Body) => Object.prototype.toString.call(body) === "[object GeneratorFunction]"

const untraced = (body: Body, steps: ReadonlyArray<Step>): Body =>
  isGenerator(body)
    ? Reflect.apply(Effect.fnUntraced, undefined, [body, ...steps])
    : (...args) =>
        steps.reduce(
          (effect, step) => step(effect, ...args),
          Effect.suspend(() => body(...args))
        )

/**
 * `Effect.fn(name)` for functions that a call passes through: a span of that name around each run. `Effect.fn` captures
 * a stack at every call and makes a span even where no tracer is provided, which cost a tenth of all calls a second.
 * This one runs the body as `Effect.fnUntraced` does unless the fiber is traced.
 */
export function traced(name: string, options?: Tracer.SpanOptionsNoTrace): Effect.fn.Traced
export function traced(name: string, options?: Tracer.SpanOptionsNoTrace) {
  return (body: Body, ...steps: ReadonlyArray<Step>): Body => {
    const plain = untraced(body, steps)
    const spanned: Body = Reflect.apply(Effect.fn(name, options), undefined, [body, ...steps])
    return (...args) => Effect.withFiber((fiber) => (isTraced(fiber) ? spanned : plain)(...args))
  }
}

/** `Effect.withSpan` under the same rule. */
export const withSpan = <A, E>(
  effect: Effect.Effect<A, E>,
  name: string,
  options: Tracer.SpanOptionsNoTrace
): Effect.Effect<A, E> =>
  Effect.withFiber((fiber) => (isTraced(fiber) ? Effect.withSpan(effect, name, options) : effect))
