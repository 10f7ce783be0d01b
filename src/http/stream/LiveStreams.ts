// All open live streams of the process. The request of a stream has ended, and no fiber waits in it: one fiber gives
// each stream its turn when there is something to tell, and one wakes those that are due.
import { Clock, Context, Effect, Exit, Layer, Scope } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { CurrentTenant } from "../../domain/access/CurrentTenant.ts"
import { Draining } from "../request/Draining.ts"
import type { LiveStream, Opened, Streams } from "./LiveStream.ts"

/** After so many turns everything else of the process has its own. */
const turns_at_once = 32

/** A set in the order of its additions, whose first one can be waited for. */
class Line<A> {
  private readonly items = new Set<A>()
  private arrived = (): void => {}

  add(item: A): void {
    this.items.add(item)
    if (this.items.size === 1) this.arrived()
  }

  delete(item: A): void {
    this.items.delete(item)
  }

  get first(): A | undefined {
    return this.items.values().next().value
  }

  /** Waits until there is a first one. */
  readonly some: Effect.Effect<void> = Effect.callback<void>((resume) => {
    if (this.items.size > 0) return resume(Effect.void)
    this.arrived = () => resume(Effect.void)
  })
}

/** Proxies must not keep the events back. */
const head = {
  contentType: "text/event-stream",
  headers: { "cache-control": "no-cache", "x-accel-buffering": "no" }
}

const failed = "Reading the events of a live stream failed. Its client is cut off, and connects again"

/** Gives the stream its turn. One that waits for a read, or fails, neither delays nor ends the others. */
const turn = (stream: LiveStream, now: number): Effect.Effect<void> =>
  Effect.suspend(() => {
    stream.begin()
    return stream.next(now)
  }).pipe(
    // Asked after the wait, so that nothing is told to a client that lost its admission meanwhile.
    Effect.flatMap((text) => Effect.map(stream.admitted, (isAdmitted) => (isAdmitted ? text : undefined))),
    Effect.provideService(CurrentTenant, stream.workspace_id),
    Effect.flatMap((text) => Effect.sync(() => stream.finish(text))),
    Effect.catchCause((cause) =>
      Effect.andThen(
        Effect.logWarning(failed, cause),
        Effect.sync(() => stream.cut())
      )
    )
  )

/** The open streams: which of them are ready, and which wait. `isStopping`: whether the server stops. */
const makeLines = (services: Context.Context<never>, isStopping: () => boolean) => {
  const run = Effect.runForkWith(services)
  const open = new Set<LiveStream>()
  const ready = new Line<LiveStream>()
  /** In the order in which they are due. */
  const waiting = new Line<LiveStream>()

  const streams: Streams = {
    services,
    opened: (stream) => void open.add(stream),
    isReady: (stream) => ready.add(stream),
    waits: (stream) => {
      if (isStopping()) return stream.leave()
      // All wait equally long, so one whose time has not moved keeps its place.
      if (stream.listed_due_at === stream.due_at) return
      stream.listed_due_at = stream.due_at
      waiting.delete(stream)
      waiting.add(stream)
    },
    closed: (stream) => {
      open.delete(stream)
      ready.delete(stream)
      waiting.delete(stream)
      run(Scope.close(stream.scope, Exit.void))
    }
  }
  return { open, ready, waiting, streams }
}

const make = Effect.gen(function* () {
  const clock = yield* Clock.Clock
  const draining = yield* Draining
  const { open, ready, streams, waiting } = makeLines(yield* Effect.context<never>(), draining.hasBegun)

  const serve = Effect.gen(function* () {
    for (let turns = 1; ; turns++) {
      const stream = ready.first
      if (stream === undefined) {
        yield* ready.some
        // A commit announces its news at once. Yielding lets it end before the streams are written to.
        yield* Effect.yieldNow
      } else {
        ready.delete(stream)
        const given = turn(stream, clock.currentTimeMillisUnsafe())
        yield* Effect.forkChild(given, { startImmediately: true })
        if (turns % turns_at_once === 0) yield* Effect.yieldNow
      }
    }
  })

  const wakeDue = Effect.gen(function* () {
    const stream = waiting.first
    if (stream === undefined) return yield* waiting.some
    const left_ms = stream.due_at - clock.currentTimeMillisUnsafe()
    if (left_ms > 0) return yield* Effect.sleep(left_ms)
    waiting.delete(stream)
    stream.listed_due_at = undefined
    stream.wake()
  })

  yield* Effect.addFinalizer(() =>
    Effect.forEach(open, (stream) => {
      stream.cut()
      return Scope.close(stream.scope, Exit.void)
    })
  )
  yield* Effect.forkScoped(serve)
  yield* Effect.forkScoped(Effect.forever(wakeDue))
  const wakeAll = Effect.andThen(
    draining.wait,
    Effect.sync(() => open.forEach((stream) => stream.wake()))
  )
  yield* Effect.forkScoped(wakeAll)

  return LiveStreams.of({
    open: (made) =>
      Effect.gen(function* () {
        const { source } = yield* HttpServerRequest.HttpServerRequest
        const stream = made({ streams, signal: source instanceof Request ? source.signal : undefined })
        yield* Effect.addFinalizer((exit) => (stream.isAttached ? Effect.void : Scope.close(stream.scope, exit)))
        return stream
      }),
    size: () => open.size
  })
})

/** Sends the head. Then the request ends, and the stream lives on until its client has gone or it is over. */
export const liveResponse = (stream: LiveStream): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.raw(stream, head)

export class LiveStreams extends Context.Service<
  LiveStreams,
  {
    /** A stream of the request. It is closed with the request, unless its head is sent: see `liveResponse`. */
    readonly open: <S extends LiveStream>(
      made: (opened: Pick<Opened, "streams" | "signal">) => S
    ) => Effect.Effect<S, never, Scope.Scope | HttpServerRequest.HttpServerRequest>
    /** How many are open. */
    readonly size: () => number
  }
>()("trunkline/http/LiveStreams") {
  static readonly layer = Layer.effect(LiveStreams, make)
}
