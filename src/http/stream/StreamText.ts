// Encodes the notices of a call as server-sent events, without those that the client has.
import type { CallEventRecord } from "../../domain/calls/CallEventRecord.ts"
import { isSaid, type StreamNotice } from "../../domain/calls/CallNotice.ts"
import type { CallRecord } from "../../domain/calls/CallRecord.ts"
import { currentNotice, isLast, isTerminal, streamNoticeOf } from "../../domain/calls/NoticeOfEvent.ts"
import { maxReplayed, type TranscriptNotice } from "../../domain/calls/Transcript.ts"

/** Sent at once, because the head of the response is sent with its first bytes. */
export const opening = [": ready\n\n", "retry: 2000\n\n"] as const
export const ping = ": ping\n\n"
/** The server shuts down. The client gets the rest from another server, by its `Last-Event-ID`. */
export const closing = 'event: closing\ndata: {"reason":"shutdown"}\n\n'
/** The last event that the client has seen is older than the log. The events in between are lost. */
const reset = "event: stream.reset\ndata: {}\n\n"
const end = "event: end\ndata: {}\n\n"

const text = (notice: StreamNotice): string => {
  const { kind, ...rest } = isSaid(notice) ? notice.said : notice
  const id = notice.sequence === null ? "" : `id: ${notice.sequence}\n`
  return `${id}event: ${kind}\ndata: ${JSON.stringify({ kind, ...rest })}\n\n`
}

/** The transcript for a client that joins: the latest pieces from memory, and the turns before them from the log. */
const recentTranscript = (
  log: ReadonlyArray<CallEventRecord>,
  said: ReadonlyArray<TranscriptNotice>
): ReadonlyArray<TranscriptNotice> => {
  const first = said.find(({ sequence }) => sequence !== null)?.sequence ?? Number.POSITIVE_INFINITY
  const earlier = log
    .map(streamNoticeOf)
    .filter(isSaid)
    .filter(({ sequence }) => sequence !== null && sequence < first)
  return [...earlier, ...said].slice(-maxReplayed)
}

export class StreamText {
  /** The sequence of the newest event that the client has. */
  private last: number
  /** The order of the newest piece of the transcript that the client has. */
  private lastOrder = 0
  /** Whether the client wants the events that it missed, and not only the present status. */
  private readonly resumed: boolean
  private over = false

  constructor(seen: number | undefined) {
    this.last = seen ?? 0
    this.resumed = seen !== undefined
  }

  /** Whether the client has received the end of the stream. */
  get isOver(): boolean {
    return this.over
  }

  /** The client has all events up to this sequence. */
  get since(): number {
    return this.last
  }

  /**
   * The first events for a client that joins. `log` has the events after `since`, `said` the latest pieces of the
   * transcript. Both are read after the stream has subscribed to the call.
   */
  joined(
    record: CallRecord,
    log: ReadonlyArray<CallEventRecord>,
    said: ReadonlyArray<TranscriptNotice>
  ): ReadonlyArray<string> {
    const lines = this.resumed ? this.missed(log) : this.current(record, log, said)
    return this.over || !isTerminal(record.status) ? lines : [...lines, this.finish()]
  }

  private missed(log: ReadonlyArray<CallEventRecord>): ReadonlyArray<string> {
    const [first] = log
    const lost = first !== undefined && first.sequence > this.last + 1
    return [...(lost ? [reset] : []), ...this.unseen(log.map(streamNoticeOf))]
  }

  private current(
    record: CallRecord,
    log: ReadonlyArray<CallEventRecord>,
    said: ReadonlyArray<TranscriptNotice>
  ): ReadonlyArray<string> {
    const current = currentNotice(log)
    const lines = current === undefined ? [] : this.unseen([current])
    if (isTerminal(record.status)) return lines
    const transcript = recentTranscript(log, said)
    for (const { order, sequence } of transcript) {
      this.last = Math.max(this.last, sequence ?? 0)
      this.lastOrder = Math.max(this.lastOrder, order)
    }
    return [...lines, ...transcript.map(text)]
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

  private finish(): string {
    this.over = true
    return end
  }
}
