// Spans of commands and of the work that they start (docs/operations.md, "A trace of one call").
import { Clock, Context, Effect, type Exit, Option, Tracer } from "effect"
import { isTraced } from "../../domain/Traced.ts"

/** The sender of a command, for tracing. */
export interface Caller {
  readonly span: Tracer.AnySpan
  /** The command belongs to the actor's own trace rather than to the caller's. */
  readonly joins: boolean
}

/**
 * Whether commands join the trace that their actor already has, with a link to the caller's span. Used for reports of a
 * PBX: each report is a separate request, but it belongs to the trace of its call.
 */
export const JoinActorTrace = Context.Reference<boolean>("trunkline/actors/runtime/JoinActorTrace", {
  defaultValue: () => false
})

/** The span of the running fiber, as the caller of a command. */
export const currentCaller: Effect.Effect<Caller | undefined> = Effect.gen(function* () {
  const span = yield* Effect.serviceOption(Tracer.ParentSpan)
  return Option.isNone(span) ? undefined : { span: span.value, joins: yield* JoinActorTrace }
})

/** How many published events have their span remembered. The oldest are dropped first. */
const publishedMax = 10_000

export interface SpanOptions {
  readonly parent?: Tracer.AnySpan | undefined
  readonly link?: Tracer.AnySpan | undefined
  readonly attributes?: Readonly<Record<string, unknown>>
  /** Nanoseconds. Default: now. */
  readonly startTime?: bigint
}

export class Tracing {
  private readonly tracer: Tracer.Tracer
  private readonly clock: Clock.Clock
  private readonly published = new Map<string, Tracer.AnySpan>()

  constructor(tracer: Tracer.Tracer, clock: Clock.Clock) {
    this.tracer = tracer
    this.clock = clock
  }

  now(): bigint {
    return this.clock.currentTimeNanosUnsafe()
  }

  begin(name: string, { attributes = {}, link, parent, startTime = this.now() }: SpanOptions): Tracer.Span {
    const span = this.tracer.span({
      name,
      parent: Option.fromNullishOr(parent),
      annotations: Context.empty(),
      links: link === undefined ? [] : [{ span: link, attributes: {} }],
      startTime,
      kind: "internal",
      root: parent === undefined,
      sampled: parent?.sampled ?? true
    })
    for (const [key, value] of Object.entries(attributes)) span.attribute(key, value)
    return span
  }

  end(span: Tracer.Span, exit: Exit.Exit<unknown, unknown>): void {
    span.end(this.now(), exit)
  }

  /** Remembers which span published the event, so that its webhook deliveries continue the trace. */
  remember(event_id: string, span: Tracer.AnySpan): void {
    const [oldest] = this.published.keys()
    if (oldest !== undefined && this.published.size >= publishedMax) this.published.delete(oldest)
    this.published.set(event_id, span)
  }

  publisherOf(event_id: string): Tracer.AnySpan | undefined {
    return this.published.get(event_id)
  }
}

/** Undefined if tracing is off or no tracer was provided. Commands then have no tracing cost. */
export const makeTracing: Effect.Effect<Tracing | undefined> = Effect.gen(function* () {
  if (!(yield* Effect.withFiber((fiber) => Effect.succeed(isTraced(fiber))))) return undefined
  return new Tracing(yield* Effect.tracer, yield* Clock.Clock)
})

/** Runs `send` with the caller's span. If tracing is off, it does not look for one. */
export const withCaller = <A, E>(
  tracing: Tracing | undefined,
  send: (caller: Caller | undefined) => Effect.Effect<A, E>
): Effect.Effect<A, E> => (tracing === undefined ? send(undefined) : Effect.flatMap(currentCaller, send))
