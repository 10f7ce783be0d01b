// What a live stream says: the text of its events, and which of them its client has not seen.
import type { CallEventRecord } from "../domain/calls/CallEventRecord.ts"
import type { CallNotice } from "../domain/calls/CallNotice.ts"
import type { CallRecord } from "../domain/calls/CallRecord.ts"
import { currentNotice, isLast, isTerminal, noticeOfEvent } from "../domain/calls/NoticeOfEvent.ts"

/** Sent at once, because the response's head goes out with the first bytes. */
export const opening = [": ready\n\n", "retry: 2000\n\n"] as const
export const ping = ": ping\n\n"
/** The server goes away; the client's `Last-Event-ID` brings the rest from another. */
export const closing = "event: closing\ndata: {\"reason\":\"shutdown\"}\n\n"
const end = "event: end\ndata: {}\n\n"

const text = (notice: CallNotice): string =>
  `id: ${notice.sequence}\nevent: ${notice.kind}\ndata: ${JSON.stringify(notice)}\n\n`

export class StreamText {
  /** The sequence of the newest event that the client has. */
  private last: number
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

  /** For a client that joins. `log` is what has happened since `since`, read after the stream began to listen. */
  joined(record: CallRecord, log: ReadonlyArray<CallEventRecord>): ReadonlyArray<string> {
    const current = currentNotice(log)
    const lines = this.news(this.resumed ? log.map(noticeOfEvent) : current === undefined ? [] : [current])
    return this.over || !isTerminal(record.status) ? lines : [...lines, this.finish()]
  }

  /** Of these, what the client does not have; the last event of a call is followed by the end. */
  news(notices: ReadonlyArray<CallNotice>): ReadonlyArray<string> {
    const lines: Array<string> = []
    for (const notice of notices) {
      if (this.over || notice.sequence <= this.last) continue
      this.last = notice.sequence
      lines.push(text(notice))
      if (isLast(notice)) lines.push(this.finish())
    }
    return lines
  }

  private finish(): string {
    this.over = true
    return end
  }
}
