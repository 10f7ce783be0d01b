// The live stream of a call: server-sent events (docs/api.md, "Following a call live").
import { type Cause, Clock, Context, Effect, Layer, Queue, Schedule, Scope, Stream } from "effect"
import type { HttpServerResponse } from "effect/http"
import { Calls } from "../../actors/calls/Calls.ts"
import { InboundCalls } from "../../actors/ingest/InboundCalls.ts"
import { callerOf, type Principal } from "../../domain/access/Principal.ts"
import type { StreamNotice } from "../../domain/calls/views/CallNotice.ts"
import { CallNotFound } from "../../domain/errors/CallErrors.ts"
import type { RateLimited } from "../../domain/errors/GeneralErrors.ts"
import { Directory } from "../../domain/ports/access/Directory.ts"
import { CallReads } from "../../domain/ports/calls/CallReads.ts"
import type { ReadFailed } from "../../domain/errors/ReadFailed.ts"
import { callNotices } from "./CallNotices.ts"
import { Draining } from "../request/Draining.ts"
import { eventStream } from "./EventStream.ts"
import { StreamLimit } from "./StreamLimit.ts"
import { opening, StreamText } from "./StreamText.ts"
import { type CallId, type CallRef, isSessionId, type WorkspaceId } from "../../domain/BrandedIds.ts"

/** A client may know a call's id before the call can be read. The stream looks for it for 5 s. */
const readRetry = { schedule: Schedule.spaced("250 millis"), times: 20 }

export interface StreamRequest {
  readonly principal: Principal
  /** Whether the principal is still admitted. The stream ends within a ping's time once it is not. */
  readonly admitted: Effect.Effect<boolean>
  /** A call id or a session id. */
  readonly ref: CallRef
  /** The last event that the client has seen, from its `Last-Event-ID`. */
  readonly seen: number | undefined
}

const make = Effect.gen(function* () {
  const calls = yield* Calls
  const reads = yield* CallReads
  const draining = yield* Draining
  const directory = yield* Directory
  const { callOf } = yield* InboundCalls
  const { take: takeSlot } = yield* StreamLimit

  const waitForCall = (workspace_id: WorkspaceId, call_id: CallId) =>
    Effect.gen(function* () {
      const record = yield* reads.find(workspace_id, call_id)
      return record ?? (yield* new CallNotFound())
    }).pipe(Effect.retry({ ...readRetry, while: (error) => error instanceof CallNotFound }))

  /** The call id of a reference. The call of a session id may not exist yet. */
  const resolve = ({ principal: { workspace_id }, ref }: StreamRequest) =>
    isSessionId(ref)
      ? Effect.map(directory.workspace(workspace_id), (workspace) => workspace && callOf(workspace.tenant_pbx_id, ref))
      : Effect.succeed(ref)

  /** Records that the client follows the call, until the stream ends. Run once the call is known to be the caller's. */
  const recordViewer = (call_id: CallId | undefined, by: string, text: StreamText) =>
    Effect.map(Effect.scope, (scope) =>
      call_id === undefined
        ? Effect.void
        : Effect.provideService(
            calls.recordViewer(call_id, by, () => text.isOver),
            Scope.Scope,
            scope
          )
    )

  const open = Effect.fnUntraced(function* (request: StreamRequest) {
    const { admitted, principal, ref, seen } = request
    const { workspace_id } = principal
    yield* takeSlot(callerOf(principal))
    const opened_at = yield* Clock.currentTimeMillis
    const call_id = yield* resolve(request)
    const live =
      call_id === undefined ? yield* Queue.unbounded<StreamNotice, Cause.Done>() : yield* calls.watch(call_id)
    if (!isSessionId(ref)) yield* waitForCall(workspace_id, ref)
    const text = new StreamText(seen)
    const viewer = yield* recordViewer(call_id, callerOf(principal), text)
    const recentTranscript = call_id === undefined ? Effect.succeed([]) : calls.recentTranscript(call_id)
    const notices = callNotices({
      reads,
      draining: draining.wait,
      live,
      recentTranscript,
      recordViewer: viewer,
      admitted,
      workspace_id,
      ref: call_id ?? ref,
      text,
      opened_at
    })
    const body = Stream.concat(Stream.fromIterable(opening), Stream.fromIterableEffectRepeat(notices.next))
    return eventStream(body)
  })

  return CallStream.of({ open })
})

export class CallStream extends Context.Service<
  CallStream,
  {
    /** Subscribes before it responds, so that no event is lost after `: ready`. The stream ends with the scope. */
    readonly open: (
      request: StreamRequest
    ) => Effect.Effect<HttpServerResponse.HttpServerResponse, CallNotFound | RateLimited | ReadFailed, Scope.Scope>
  }
>()("trunkline/http/CallStream") {
  static readonly layer = Layer.effect(CallStream, make)
}
