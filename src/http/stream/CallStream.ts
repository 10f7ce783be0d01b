// The live stream of a call: server-sent events (docs/api.md, "Following a call live").
import { Clock, Context, Effect, Layer, Schedule, type Scope } from "effect"
import type { HttpServerRequest, HttpServerResponse } from "effect/http"
import { Calls } from "../../actors/calls/Calls.ts"
import { InboundCalls } from "../../actors/ingest/InboundCalls.ts"
import { callerOf, type Principal } from "../../domain/access/Principal.ts"
import { CallNotFound } from "../../domain/errors/CallErrors.ts"
import type { RateLimited } from "../../domain/errors/GeneralErrors.ts"
import { Directory } from "../../domain/ports/access/Directory.ts"
import { CallReads } from "../../domain/ports/calls/CallReads.ts"
import type { ReadFailed } from "../../domain/errors/ReadFailed.ts"
import { makeCallLog } from "./CallLog.ts"
import { FollowedCall } from "./FollowedCall.ts"
import { liveResponse, LiveStreams } from "./LiveStreams.ts"
import { StreamLimit } from "./StreamLimit.ts"
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
  const directory = yield* Directory
  const streams = yield* LiveStreams
  const { callOf } = yield* InboundCalls
  const { take: takeSlot } = yield* StreamLimit
  const log = makeCallLog({ reads, recentTranscript: calls.recentTranscript })

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

  /** Until the stream is closed, and once the call is known to be the caller's. */
  const recordViewer = (stream: FollowedCall) =>
    isSessionId(stream.ref)
      ? Effect.void
      : stream.hold(calls.recordViewer(stream.ref, stream.by, () => stream.text.isOver))

  const open = Effect.fnUntraced(function* (request: StreamRequest) {
    const { admitted, principal, seen } = request
    const { workspace_id } = principal
    const by = callerOf(principal)
    const opened_at = yield* Clock.currentTimeMillis
    const ref = (yield* resolve(request)) ?? request.ref
    const of = { workspace_id, admitted, log, recordViewer, by, ref, seen, opened_at }
    const stream = yield* streams.open((opened) => new FollowedCall({ ...opened, ...of }))
    yield* stream.hold(takeSlot(principal))
    if (!isSessionId(ref)) yield* stream.hold(calls.watch(ref, stream))
    if (!isSessionId(request.ref)) yield* waitForCall(workspace_id, request.ref)
    return liveResponse(stream)
  })

  return CallStream.of({ open })
})

export class CallStream extends Context.Service<
  CallStream,
  {
    /** Subscribes before it responds, so that no event is lost after `: ready`. */
    readonly open: (
      request: StreamRequest
    ) => Effect.Effect<
      HttpServerResponse.HttpServerResponse,
      CallNotFound | RateLimited | ReadFailed,
      Scope.Scope | HttpServerRequest.HttpServerRequest
    >
  }
>()("trunkline/http/CallStream") {
  static readonly layer = Layer.effect(CallStream, make)
}
