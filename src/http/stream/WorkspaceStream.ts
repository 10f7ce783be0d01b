// The live stream of a workspace: all its events, in the order in which they were stored (docs/api.md, "Following a
// workspace live"). It reads its log at the pace of its client, so a slow client takes no memory.
import { Clock, Context, Effect, Layer, type Scope } from "effect"
import type { HttpServerRequest, HttpServerResponse } from "effect/http"
import type { Principal } from "../../domain/access/Principal.ts"
import type { RateLimited } from "../../domain/errors/GeneralErrors.ts"
import type { ReadFailed } from "../../domain/errors/ReadFailed.ts"
import { EventLog } from "../../domain/ports/webhooks/EventLog.ts"
import { eventLogReach_ms } from "../../domain/webhooks/LoggedEvent.ts"
import { NewEvents } from "../../domain/ports/webhooks/NewEvents.ts"
import { type EventPosition, readPosition } from "../../domain/webhooks/EventPosition.ts"
import type { EventKind } from "../../domain/events/EventTable.ts"
import { makeEventPages } from "./EventPages.ts"
import { FollowedWorkspace } from "./FollowedWorkspace.ts"
import { liveResponse, LiveStreams } from "./LiveStreams.ts"
import { StreamLimit } from "./StreamLimit.ts"
import { type ResetReason, resetText } from "./WorkspaceStreamText.ts"

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

const make = Effect.gen(function* () {
  const log = yield* EventLog
  const streams = yield* LiveStreams
  const pages = makeEventPages(log)
  const { follow } = yield* NewEvents
  const { take } = yield* StreamLimit

  const open = Effect.fnUntraced(
    function* (request: WorkspaceStreamRequest) {
      const { admitted, kinds, principal } = request
      const { workspace_id } = principal
      const opened_at = yield* Clock.currentTimeMillis
      const stream = yield* streams.open(
        (opened) => new FollowedWorkspace({ ...opened, workspace_id, admitted, pages, kinds, opened_at })
      )
      yield* stream.hold(take(principal))
      yield* stream.hold(follow(workspace_id, () => stream.news()))
      const { place, reset } = yield* startOf(request)
      stream.start(place, reset)
      return liveResponse(stream)
    },
    Effect.provideService(EventLog, log)
  )

  return WorkspaceStream.of({ open })
})

export class WorkspaceStream extends Context.Service<
  WorkspaceStream,
  {
    /** Nothing that is stored after `: ready` is missed. */
    readonly open: (
      request: WorkspaceStreamRequest
    ) => Effect.Effect<
      HttpServerResponse.HttpServerResponse,
      RateLimited | ReadFailed,
      Scope.Scope | HttpServerRequest.HttpServerRequest
    >
  }
>()("trunkline/http/WorkspaceStream") {
  static readonly layer = Layer.effect(WorkspaceStream, make)
}
