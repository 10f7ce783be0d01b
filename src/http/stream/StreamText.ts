// What a live stream says: the text of its events, and which of them its client has not seen.
import type { CallEventRecord } from "../../domain/calls/CallEventRecord.ts"
import { isSaid, type StreamNotice } from "../../domain/calls/CallNotice.ts"
import type { CallRecord } from "../../domain/calls/CallRecord.ts"
import { currentNotice, isLast, isTerminal, streamNoticeOf } from "../../domain/calls/NoticeOfEvent.ts"
import { maxReplayed, type TranscriptNotice } from "../../domain/calls/Transcript.ts"

/** Sent at once, because the response's head goes out with the first bytes. */
export const opening = [": ready\n\n", "retry: 2000\n\n"] as const
export const ping = ": ping\n\n"
/** The server goes away; the client's `Last-Event-ID` brings the rest from another. */
export const closing = 'event: closing\ndata: {"reason":"shutdown"}\n\n'
/** What the client has seen last is older than the log: what lies between is lost. */
const reset = "event: stream.reset\ndata: {}\n\n"
const end = "event: end\ndata: {}\n\n"

const text = (notice: StreamNotice): string => {
  const { kind, ...rest } = isSaid(notice) ? notice.said : notice
  const id = notice.sequence === null ? "" : `id: ${notice.sequence}\n`
  return `${id}event: ${kind}\ndata: ${JSON.stringify({ kind, ...rest })}\n\n`
}

/** What a client that joins hears of a talk: the last that is in memory, with the turns before it from the log. */
const lately = (
  log: ReadonlyArray<CallEventRecord>,
  said: ReadonlyArray<TranscriptNotice>
): ReadonlyArray<TranscriptNotice> => {
  const first = said.find(({ sequence }) => sequence !== null)?.sequence ?? Number.POSITIVE_INFINITY
  const earlier = log
    .map(streamNoticeOf)
    .filter(isSaid)
    .filter(({ sequence }) => sequence! < first)
  return [...earlier, ...said].slice(-maxReplayed)
}

export class StreamText {
  /** The sequence of the newest event that the client has. */
  private last: number
  /** The last of what was said that the client has heard. */
  private heard = 0
  /** Whether the client wants what it missed, and not only how the call stands. */
  private readonly resumed: boolean
  private over = false

  constructor(seen: number | undefined) {
    this.last = seen ?? 0
    this.resumed = seen !== undefined
  }

  /** The client has been told of the end. */
  get isOver(): boolean {
    return this.over
  }

  /** Events after this are news to the client. */
  get since(): number {
    return this.last
  }

  /**
   * For a client that joins. `log` is what has happened since `since`, and `said` what was said last, both read after the
   * stream began to listen.
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
    return [...(lost ? [reset] : []), ...this.news(log.map(streamNoticeOf))]
  }

  private current(
    record: CallRecord,
    log: ReadonlyArray<CallEventRecord>,
    said: ReadonlyArray<TranscriptNotice>
  ): ReadonlyArray<string> {
    const current = currentNotice(log)
    const lines = current === undefined ? [] : this.news([current])
    if (isTerminal(record.status)) return lines
    const talk = lately(log, said)
    for (const { order, sequence } of talk) {
      this.last = Math.max(this.last, sequence ?? 0)
      this.heard = Math.max(this.heard, order)
    }
    return [...lines, ...talk.map(text)]
  }

  /** Of these, what the client does not have; the last event of a call is followed by the end. */
  news(notices: ReadonlyArray<StreamNotice>): ReadonlyArray<string> {
    const lines: Array<string> = []
    for (const notice of notices) {
      if (this.over || !this.isNews(notice)) continue
      lines.push(text(notice))
      if (!isSaid(notice) && isLast(notice)) lines.push(this.finish())
    }
    return lines
  }

  private isNews(notice: StreamNotice): boolean {
    const { sequence } = notice
    if (sequence !== null) {
      const isNew = sequence > this.last
      this.last = Math.max(this.last, sequence)
      return isNew
    }
    const order = isSaid(notice) ? notice.order : 0
    const isNew = order > this.heard
    this.heard = Math.max(this.heard, order)
    return isNew
  }

  private finish(): string {
    this.over = true
    return end
  }
}
