// Encodes the notices of a call as server-sent events, without those that the client has.
import type { CallId } from "../../domain/BrandedIds.ts"
import type { CallEventRecord } from "../../domain/calls/views/CallEventRecord.ts"
import { isSaid, type StreamNotice, streamedData } from "../../domain/calls/views/CallNotice.ts"
import { currentNotice, isLast, streamNoticeOf } from "../../domain/calls/views/NoticeOfEvent.ts"
import { maxReplayed, type TranscriptNotice } from "../../domain/calls/state/Transcript.ts"

/** Sent at once, because the head of the response is sent with its first bytes. */
export const opening = [": ready\n\n", "retry: 2000\n\n"] as const
export const ping = ": ping\n\n"
/** The server closes the stream. The client continues with its next request, by its `Last-Event-ID`. */
export const closingText = (reason: "shutdown" | "max_age"): string =>
  `event: closing\ndata: ${JSON.stringify({ reason })}\n\n`
const end = "event: end\ndata: {}\n\n"

/**
 * Why the stream does not continue after the last event that the client has seen. `log_starts_later`: the log no longer
 * has the next events. `unknown_event_id`: the call has had no such event.
 */
type ResetReason = "log_starts_later" | "unknown_event_id"

const reset = (call_id: CallId, reason: ResetReason): string => {
  const data = { reason, events_url: `/v1/calls/${call_id}/events?transcript=1` }
  return `event: stream.reset\ndata: ${JSON.stringify(data)}\n\n`
}

const text = (notice: StreamNotice): string => {
  const kind = isSaid(notice) ? notice.said.kind : notice.kind
  const id = notice.sequence === null ? "" : `id: ${notice.sequence}\n`
  return `${id}event: ${kind}\ndata: ${JSON.stringify(streamedData(notice))}\n\n`
}

/** The transcript for a client that joins: the latest pieces from memory, and the turns before them from the log. */
const recentTranscript = (
  turns: ReadonlyArray<CallEventRecord>,
  said: ReadonlyArray<TranscriptNotice>
): ReadonlyArray<TranscriptNotice> => {
  const first = said.find(({ sequence }) => sequence !== null)?.sequence ?? Number.POSITIVE_INFINITY
  const earlier = turns
    .map(streamNoticeOf)
    .filter(isSaid)
    .filter(({ sequence }) => sequence !== null && sequence < first)
  return [...earlier, ...said].slice(-maxReplayed)
}

/** A call as a client finds it that joins. All is read after the stream has subscribed to the call. */
interface Present {
  /** The newest event that is no turn of the transcript. */
  readonly newest: CallEventRecord
  /** The sequence of the newest entry of the log. */
  readonly last: number
  /** The latest turns of the log. */
  readonly turns: ReadonlyArray<CallEventRecord>
  /** The latest pieces of the transcript in memory. */
  readonly said: ReadonlyArray<TranscriptNotice>
}

export class StreamText {
  /** The sequence of the newest event that the client has. */
  private last: number
  /** The order of the newest piece of the transcript that the client has. */
  private lastOrder = 0
  private resuming: boolean
  private over = false

  constructor(seen: number | undefined) {
    this.last = seen ?? 0
    this.resuming = seen !== undefined
  }

  /** Whether the client has received the end of the stream. */
  get isOver(): boolean {
    return this.over
  }

  /** Whether the client wants the events that it missed, and not only the present state. */
  get isResuming(): boolean {
    return this.resuming
  }

  /** The client has all events up to this sequence. */
  get since(): number {
    return this.last
  }

  /** Whether there are events between those that the client has and the first of these. */
  misses(notices: ReadonlyArray<StreamNotice>): boolean {
    const first = notices.find(({ sequence }) => sequence !== null)
    return first !== undefined && first.sequence !== null && first.sequence > this.last + 1
  }

  /** The client has seen an event that the call never had: it is told the present state, like one that joins. */
  restart(call_id: CallId): ReadonlyArray<string> {
    this.last = 0
    this.resuming = false
    return [reset(call_id, "unknown_event_id")]
  }

  /** The first events for a client that joins: the present state, and the latest of the transcript. */
  present({ last, newest, said, turns }: Present): ReadonlyArray<string> {
    const lines = this.unseen([currentNotice(newest)])
    if (this.over) return lines
    this.last = Math.max(this.last, last)
    // What was added to the log since it was read follows through the subscription.
    const added = said.findIndex(({ sequence }) => sequence !== null && sequence > last)
    const transcript = recentTranscript(turns, added < 0 ? said : said.slice(0, added))
    for (const { order } of transcript) this.lastOrder = Math.max(this.lastOrder, order)
    return [...lines, ...transcript.map(text)]
  }

  /** The next events of the log, which begin after `since` unless the log no longer reaches back that far. */
  missed(call_id: CallId, log: ReadonlyArray<CallEventRecord>): ReadonlyArray<string> {
    const notices = log.map(streamNoticeOf)
    return [...(this.misses(notices) ? [reset(call_id, "log_starts_later")] : []), ...this.unseen(notices)]
  }

  /** The text of those notices that the client does not have. After the last event of a call comes the end. */
  unseen(notices: ReadonlyArray<StreamNotice>): ReadonlyArray<string> {
    const lines: Array<string> = []
    for (const notice of notices) {
      if (this.over || !this.isUnseen(notice)) continue
      lines.push(text(notice))
      if (!isSaid(notice) && isLast(notice)) lines.push(this.finish())
    }
    return lines
  }

  private isUnseen(notice: StreamNotice): boolean {
    const { sequence } = notice
    if (sequence !== null) {
      const isNew = sequence > this.last
      this.last = Math.max(this.last, sequence)
      return isNew
    }
    const order = isSaid(notice) ? notice.order : 0
    const isNew = order > this.lastOrder
    this.lastOrder = Math.max(this.lastOrder, order)
    return isNew
  }

  /** Ends the text. Nothing follows. */
  finish(): string {
    this.over = true
    return end
  }
}
