// The contents of a live stream: the events so far, new events, pings, and the reason for its end.
import { Cause, Clock, Effect, Option, Queue } from "effect"
import type { StreamNotice } from "../../domain/calls/CallNotice.ts"
import type { TranscriptNotice } from "../../domain/calls/Transcript.ts"
import type { CallReads } from "../../domain/ports/CallReads.ts"
import type { ReadFailed } from "../../domain/errors/ReadFailed.ts"
import { closing, ping, type StreamText } from "./StreamText.ts"
import type { CallRef, WorkspaceId } from "../../domain/BrandedIds.ts"

const ping_ms = 15_000
/** Maximum age of a stream: one for a session id that never gets a call must end at some time. */
const max_age_ms = 4 * 3_600_000
/** How many stored events are read: more than a call has. */
const log_limit = 1000

export interface CallNoticesOptions {
  readonly reads: CallReads["Service"]
  /** Returns when the server shuts down. */
  readonly draining: Effect.Effect<void>
  readonly live: Queue.Dequeue<StreamNotice, Cause.Done>
  /** The latest pieces of the transcript. */
  readonly recentTranscript: Effect.Effect<ReadonlyArray<TranscriptNotice>>
  /** Records in the timeline that a client follows the call. Run once, if the call is in progress. */
  readonly recordViewer: Effect.Effect<void>
  readonly workspace_id: WorkspaceId
  /** A call id or a session id. */
  readonly ref: CallRef
  readonly text: StreamText
  /** Epoch milliseconds. */
  readonly opened_at: number
}

export interface CallNoticesStream {
  /** The first events for a client that joins. */
  readonly join: Effect.Effect<ReadonlyArray<string>, ReadFailed>
  /** Waits for the next events, which may be none. Fails with `Done` when nothing follows. */
  readonly next: Effect.Effect<ReadonlyArray<string>, ReadFailed | Cause.Done>
}

export const callNotices = ({
  draining,
  live,
  opened_at,
  reads,
  recentTranscript,
  recordViewer,
  ref,
  text,
  workspace_id
}: CallNoticesOptions): CallNoticesStream => {
  // Undefined while the call is not known; false if it belongs to another workspace. To the client both look the same.
  let owned: boolean | undefined
  let leaving = false

  // The log is read after the stream has subscribed, so that no event is lost between the two.
  const join = Effect.gen(function* () {
    const record = yield* reads.find(workspace_id, ref)
    if (record === undefined) return []
    owned = true
    if (record.ended_at === null) yield* recordViewer
    const log = yield* reads.events(workspace_id, record.id, text.since, log_limit, "all")
    return text.joined(record, log, record.answered_at === null ? [] : yield* recentTranscript)
  })

  const forClient = (notices: ReadonlyArray<StreamNotice>) =>
    Effect.gen(function* () {
      const joined = owned === undefined ? yield* join : []
      owned ??= false
      return owned ? [...joined, ...text.unseen(notices)] : []
    })

  const pingOrEnd = Effect.flatMap(Clock.currentTimeMillis, (now) =>
    now - opened_at >= max_age_ms ? Cause.done() : Effect.succeed([ping])
  )

  const next = Effect.gen(function* () {
    if (text.isOver || leaving) return yield* Cause.done()
    const received = yield* Effect.raceFirst(
      Effect.timeoutOption(Queue.takeAll(live), ping_ms),
      Effect.as(draining, "draining" as const)
    )
    if (received === "draining") {
      leaving = true
      return [closing]
    }
    return Option.isNone(received) ? yield* pingOrEnd : yield* forClient(received.value)
  })

  return { join, next }
}
