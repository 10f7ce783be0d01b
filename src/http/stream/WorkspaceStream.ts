// The live stream of a workspace: all its events, in the order in which they were stored (docs/api.md, "Following a
// workspace live"). It reads its log at the pace of its client, so a slow client takes no memory.
import { Cause, Clock, Context, Effect, Layer, Queue, type Scope, Stream } from "effect"
import type { HttpServerResponse } from "effect/http"
import { CurrentTenant } from "../../domain/access/CurrentTenant.ts"
import { callerOf, type Principal } from "../../domain/access/Principal.ts"
import type { WorkspaceId } from "../../domain/BrandedIds.ts"
import type { RateLimited } from "../../domain/errors/GeneralErrors.ts"
import type { ReadFailed } from "../../domain/errors/ReadFailed.ts"
import { EventLog } from "../../domain/ports/webhooks/EventLog.ts"
import { eventLogReach_ms } from "../../domain/webhooks/LoggedEvent.ts"
import { NewEvents } from "../../domain/ports/webhooks/NewEvents.ts"
import { type EventPosition, readPosition } from "../../domain/webhooks/EventPosition.ts"
import type { EventKind } from "../../domain/events/EventTable.ts"
import { Draining } from "../request/Draining.ts"
import { eventStream } from "./EventStream.ts"
import { StreamLimit } from "./StreamLimit.ts"
import { opening, ping } from "./StreamText.ts"
import { closingText, eventText, placeText, type ResetReason, resetText } from "./WorkspaceStreamText.ts"

/** How many events are read at a time. */
const page = 200
const ping_ms = 15_000
/** A client connects again after this time, so that no stream is open for ever. */
const max_age_ms = 15 * 60_000

export interface WorkspaceStreamRequest {
  readonly principal: Principal
  /** Whether the principal is still admitted. The stream ends within a ping's time once it is not. */
  readonly admitted: Effect.Effect<boolean>
  /** The events that the client wants and may read. */
  readonly kinds: ReadonlyArray<EventKind>
  /** The last event that the client has seen, from its `Last-Event-ID`. It counts more than `since`. */
  readonly seen: string | undefined
  /** Epoch milliseconds. */
  readonly since: number | undefined
}

interface Start {
  readonly place: EventPosition
  readonly reset?: string
}

/** Where the stream of a request begins. */
const startOf = Effect.fnUntraced(function* ({
  principal: { workspace_id },
  seen,
  since
}: Pick<WorkspaceStreamRequest, "principal" | "seen" | "since">) {
  const log = yield* EventLog
  const now = yield* Clock.currentTimeMillis
  const oldest = now - eventLogReach_ms
  const end = yield* log.end
  const resetTo = (place: EventPosition, reason: ResetReason, at: number): Start => ({
    place,
    reset: resetText(reason, at)
  })
  const fromOldest = Effect.map(log.placeOf(workspace_id, oldest), (place) =>
    resetTo(place, "log_starts_later", oldest)
  )
  if (seen !== undefined) {
    const place = readPosition(seen)
    if (place === undefined || place.order > end.order) return resetTo(end, "unknown_event_id", now)
    const [next] = yield* log.after(workspace_id, place, [], 1)
    return next !== undefined && next.recorded_at < oldest ? yield* fromOldest : { place }
  }
  if (since === undefined || since > now) return { place: end }
  return since < oldest ? yield* fromOldest : { place: yield* log.placeOf(workspace_id, since) }
})

interface Following {
  readonly kinds: ReadonlyArray<EventKind>
  readonly start: EventPosition
  readonly workspace_id: WorkspaceId
  /** Epoch milliseconds. */
  readonly opened_at: number
  readonly news: Queue.Dequeue<void>
  /** Returns when the server shuts down. */
  readonly draining: Effect.Effect<void>
  readonly admitted: Effect.Effect<boolean>
}

/** The events after the start, then pings while there are none. Fails with `Done` when nothing follows. */
const following = Effect.fnUntraced(function* (options: Following) {
  const { admitted, draining, kinds, news, opened_at, start, workspace_id } = options
  const log = yield* EventLog
  let place = start
  /** Whether the client knows the place. */
  let told = true
  let leaving = false
  /** When the client was last sent something. Events that it did not ask for do not put its ping off. */
  let sent_at = opened_at

  const leave = (reason: "shutdown" | "max_age") => {
    leaving = true
    return [closingText(reason)]
  }

  const idle = (now: number): ReadonlyArray<string> => {
    sent_at = now
    if (now - opened_at >= max_age_ms) return leave("max_age")
    const text = told ? ping : placeText(place)
    told = true
    return [text]
  }

  const wait = Effect.fnUntraced(function* (now: number) {
    const received = yield* Effect.raceFirst(
      Effect.timeoutOption(Queue.take(news), sent_at + ping_ms - now),
      Effect.as(draining, "draining" as const)
    )
    return received === "draining" ? leave("shutdown") : []
  })

  const follow: Effect.Effect<ReadonlyArray<string>, ReadFailed | Cause.Done> = Effect.gen(function* () {
    if (leaving) return yield* Cause.done()
    const now = yield* Clock.currentTimeMillis
    if (now - sent_at >= ping_ms) return idle(now)
    const events = yield* log.after(workspace_id, place, kinds, page)
    const last = events.at(-1)
    if (last === undefined) return yield* wait(now)
    place = last.position
    told = last.payload !== null
    const lines = events.flatMap((event) => eventText(workspace_id, event))
    if (lines.length > 0) sent_at = now
    return lines
  })

  // Asked after the wait, so that nothing is told to a client that lost its admission meanwhile.
  const next = Effect.gen(function* () {
    const lines = yield* follow
    return (yield* admitted) ? lines : yield* Cause.done()
  })
  return Effect.provideService(next, CurrentTenant, workspace_id)
})

const make = Effect.gen(function* () {
  const log = yield* EventLog
  const draining = yield* Draining
  const { follow } = yield* NewEvents
  const { take } = yield* StreamLimit

  const open = Effect.fnUntraced(
    function* (request: WorkspaceStreamRequest) {
      const { admitted, kinds, principal } = request
      const { workspace_id } = principal
      yield* take(callerOf(principal))
      const news = yield* follow(workspace_id)
      const opened_at = yield* Clock.currentTimeMillis
      const { place, reset } = yield* startOf(request)
      const next = yield* following({
        kinds,
        news,
        opened_at,
        start: place,
        workspace_id,
        draining: draining.wait,
        admitted
      })
      const first = [...opening, ...(reset === undefined ? [] : [reset]), placeText(place)]
      return eventStream(Stream.concat(Stream.fromIterable(first), Stream.fromIterableEffectRepeat(next)))
    },
    Effect.provideService(EventLog, log)
  )

  return WorkspaceStream.of({ open })
})

export class WorkspaceStream extends Context.Service<
  WorkspaceStream,
  {
    /** Nothing that is stored after `: ready` is missed. The stream ends with the scope. */
    readonly open: (
      request: WorkspaceStreamRequest
    ) => Effect.Effect<HttpServerResponse.HttpServerResponse, RateLimited | ReadFailed, Scope.Scope>
  }
>()("trunkline/http/WorkspaceStream") {
  static readonly layer = Layer.effect(WorkspaceStream, make)
}
