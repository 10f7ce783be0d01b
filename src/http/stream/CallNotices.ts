// The contents of a live stream: the events so far, new events, pings, and the reason for its end.
import { Cause, Clock, Effect, Option, Queue } from "effect"
import type { StreamNotice } from "../../domain/calls/views/CallNotice.ts"
import type { CallRecord } from "../../domain/calls/state/CallRecord.ts"
import { isTerminal } from "../../domain/calls/views/NoticeOfEvent.ts"
import type { ReadFailed } from "../../domain/errors/ReadFailed.ts"
import { type CallLogOptions, makeCallLog } from "./CallLog.ts"
import { closing, ping } from "./StreamText.ts"
import type { CallRef } from "../../domain/BrandedIds.ts"

const ping_ms = 15_000
/** Maximum age of a stream: one for a session id that never gets a call must end at some time. */
const max_age_ms = 4 * 3_600_000
export interface CallNoticesOptions extends CallLogOptions {
  /** Returns when the server shuts down. */
  readonly draining: Effect.Effect<void>
  readonly live: Queue.Dequeue<StreamNotice, Cause.Done>
  /** Records in the timeline that a client follows the call. Run once, if the call is in progress. */
  readonly recordViewer: Effect.Effect<void>
  /** Whether the client may still follow the call. */
  readonly admitted: Effect.Effect<boolean>
  /** A call id or a session id. */
  readonly ref: CallRef
  /** Epoch milliseconds. */
  readonly opened_at: number
}

export interface CallNoticesStream {
  /** Waits for the next events, which may be none. Fails with `Done` when nothing follows. */
  readonly next: Effect.Effect<ReadonlyArray<string>, ReadFailed | Cause.Done>
}

/** The call as it was when the client joined, and what came through the subscription while its log is read. */
interface CatchingUp {
  readonly record: CallRecord
  readonly held: ReadonlyArray<StreamNotice>
}

/** What the client is told of a call that is known to be its workspace's. */
const followed = ({ reads, recentTranscript, text, workspace_id }: CallNoticesOptions) => {
  const log = makeCallLog({ reads, recentTranscript, text, workspace_id })
  let catchingUp: CatchingUp | undefined

  const withEnd = (record: CallRecord, lines: ReadonlyArray<string>): ReadonlyArray<string> =>
    text.isOver || !isTerminal(record.status) ? lines : [...lines, text.finish()]

  /** One page of the log, until the client has all of it. Then what came meanwhile, and the end of an ended call. */
  const catchUp = Effect.fnUntraced(function* ({ held, record }: CatchingUp) {
    const { isLast, lines } = yield* log.nextPage(record)
    if (!isLast) return lines
    catchingUp = undefined
    return withEnd(record, [...lines, ...text.unseen(held)])
  })

  // The log is read after the stream has subscribed, so that no event is lost between the two.
  const join = Effect.fnUntraced(function* (record: CallRecord, held: ReadonlyArray<StreamNotice>) {
    if (!text.isResuming) return withEnd(record, [...(yield* log.present(record)), ...text.unseen(held)])
    if (text.since > (yield* log.newestSequence(record))) {
      const lines = text.restart(record.id)
      return withEnd(record, [...lines, ...(yield* log.present(record)), ...text.unseen(held)])
    }
    catchingUp = { record, held }
    return []
  })

  const told = (record: CallRecord, notices: ReadonlyArray<StreamNotice>): ReadonlyArray<string> => {
    if (!text.misses(notices)) return text.unseen(notices)
    catchingUp = { record, held: notices }
    return []
  }

  return { join, told, rest: () => catchingUp && catchUp(catchingUp) }
}

export const callNotices = (options: CallNoticesOptions): CallNoticesStream => {
  const { admitted, draining, live, opened_at, reads, recordViewer, ref, text, workspace_id } = options
  const call = followed(options)
  // The call, once it is known; null if it belongs to another workspace. To the client both look the same.
  let known: CallRecord | null | undefined
  let opened = false
  let leaving = false

  const find = Effect.fnUntraced(function* (held: ReadonlyArray<StreamNotice>) {
    const record = yield* reads.find(workspace_id, ref)
    if (record === undefined) return []
    known = record
    if (record.ended_at === null) yield* recordViewer
    return yield* call.join(record, held)
  })

  const forClient = Effect.fnUntraced(function* (notices: ReadonlyArray<StreamNotice>) {
    if (known !== undefined) return known === null ? [] : call.told(known, notices)
    const lines = yield* find(notices)
    known ??= null
    return lines
  })

  const pingOrEnd = Effect.flatMap(Clock.currentTimeMillis, (now) =>
    now - opened_at >= max_age_ms ? Cause.done() : Effect.succeed([ping])
  )

  const follow = Effect.gen(function* () {
    if (text.isOver || leaving) return yield* Cause.done()
    if (!opened) {
      opened = true
      return yield* find([])
    }
    const rest = call.rest()
    if (rest !== undefined) return yield* rest
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

  // Asked after the wait, so that nothing is told to a client that lost its admission meanwhile.
  const next = Effect.gen(function* () {
    const lines = yield* follow
    return (yield* admitted) ? lines : yield* Cause.done()
  })

  return { next }
}
