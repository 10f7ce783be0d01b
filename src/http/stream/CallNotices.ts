// The contents of a live stream: the events so far, the changes, pings, and the reason why it ends.
import { Cause, Clock, Effect, Option, Queue } from "effect"
import type { StreamNotice } from "../../domain/calls/CallNotice.ts"
import type { TranscriptNotice } from "../../domain/calls/Transcript.ts"
import type { CallReads } from "../../domain/ports/CallReads.ts"
import type { ReadFailed } from "../../domain/errors/ReadFailed.ts"
import { closing, ping, type StreamText } from "./StreamText.ts"
import type { WorkspaceId } from "../../domain/BrandedIds.ts"

const ping_ms = 15_000
/** A stream for a session id that never gets a call must end at some time. */
const max_age_ms = 4 * 3_600_000
/** More events than a call has. */
const log_limit = 1000

export interface CallNoticesOptions {
  readonly reads: CallReads["Service"]
  /** Returns when the server shuts down. */
  readonly draining: Effect.Effect<void>
  readonly live: Queue.Dequeue<StreamNotice, Cause.Done>
  /** The latest pieces of the transcript. */
  readonly said: Effect.Effect<ReadonlyArray<TranscriptNotice>>
  /** Records for the timeline that a client follows the call, which is in progress. */
  readonly watched: Effect.Effect<void>
  readonly workspace_id: WorkspaceId
  readonly call_id: string
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
  call_id,
  draining,
  live,
  opened_at,
  reads,
  said,
  text,
  watched,
  workspace_id
}: CallNoticesOptions): CallNoticesStream => {
  // Undefined while the call is not known; false if it belongs to another workspace, which must look the same.
  let owned: boolean | undefined
  let leaving = false

  // The log is read after the stream has subscribed, so that no event is lost between the two.
  const join = Effect.gen(function* () {
    const record = yield* reads.find(workspace_id, call_id)
    if (record === undefined) return []
    owned = true
    if (record.ended_at === null) yield* watched
    const log = yield* reads.events(workspace_id, call_id, text.since, log_limit, "all")
    return text.joined(record, log, record.answered_at === null ? [] : yield* said)
  })

  const received = (notices: ReadonlyArray<StreamNotice>) =>
    Effect.gen(function* () {
      const joined = owned === undefined ? yield* join : []
      owned ??= false
      return owned ? [...joined, ...text.news(notices)] : []
    })

  const silence = Effect.flatMap(Clock.currentTimeMillis, (now) =>
    now - opened_at >= max_age_ms ? Cause.done() : Effect.succeed([ping])
  )

  const next = Effect.gen(function* () {
    if (text.isOver || leaving) return yield* Cause.done()
    const news = yield* Effect.raceFirst(
      Effect.timeoutOption(Queue.takeAll(live), ping_ms),
      Effect.as(draining, "draining" as const)
    )
    if (news === "draining") {
      leaving = true
      return [closing]
    }
    return Option.isNone(news) ? yield* silence : yield* received(news.value)
  })

  return { join, next }
}
