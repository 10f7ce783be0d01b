// The live stream of a call: its events so far, new ones, pings, and the reason for its end.
import { Effect } from "effect"
import { type Listener, waitingMax } from "../../actors/runtime/Listeners.ts"
import type { StreamNotice } from "../../domain/calls/views/CallNotice.ts"
import type { CallRecord } from "../../domain/calls/state/CallRecord.ts"
import { isTerminal } from "../../domain/calls/views/NoticeOfEvent.ts"
import type { ReadFailed } from "../../domain/errors/ReadFailed.ts"
import type { CallRef } from "../../domain/BrandedIds.ts"
import type { CallLog } from "./CallLog.ts"
import { LiveStream, type Opened } from "./LiveStream.ts"
import { opening, ping, StreamText } from "./StreamText.ts"

const ping_ms = 15_000
/** Maximum age of a stream: one for a session id that never gets a call must end at some time. */
const max_age_ms = 4 * 3_600_000

export interface FollowedCallOptions extends Opened {
  readonly log: CallLog
  /** A call id or a session id. */
  readonly ref: CallRef
  /** The id of the API key or session that follows the call. */
  readonly by: string
  /** Records in the timeline that a client follows the call. Run once, if the call is in progress. */
  readonly recordViewer: (stream: FollowedCall) => Effect.Effect<void>
  /** The last event that the client has seen. */
  readonly seen: number | undefined
  /** Epoch milliseconds. */
  readonly opened_at: number
}

type Lines = Effect.Effect<ReadonlyArray<string>, ReadFailed>

const nothing: ReadonlyArray<never> = []
const toldNothing = Effect.succeed(nothing)
const isOver = Effect.succeed(undefined)

export class FollowedCall extends LiveStream implements Listener<StreamNotice> {
  readonly text: StreamText
  readonly ref: CallRef
  /** The id of the API key or session that follows the call. */
  readonly by: string
  protected readonly opening = opening
  private readonly log: CallLog
  private readonly opened_at: number
  private readonly recordViewer: FollowedCallOptions["recordViewer"]
  private isFirst = true
  /** No notice follows. */
  private isEnded = false
  /** Since when the client was told nothing. */
  private quiet_since: number
  private notices: ReadonlyArray<StreamNotice> = nothing
  /** The call, once it is known; null if it belongs to another workspace. To the client both look the same. */
  private known: CallRecord | null | undefined
  /** What came through the subscription while the log of the call is read. */
  private held: ReadonlyArray<StreamNotice> | undefined

  constructor(options: FollowedCallOptions) {
    super(options)
    this.log = options.log
    this.ref = options.ref
    this.by = options.by
    this.recordViewer = options.recordViewer
    this.text = new StreamText(options.seen)
    this.opened_at = options.opened_at
    this.quiet_since = options.opened_at
  }

  get due_at(): number {
    return this.quiet_since + ping_ms
  }

  get hasMore(): boolean {
    return this.isFirst || this.text.isOver || this.held !== undefined || this.isEnded || this.waiting > 0
  }

  get waiting(): number {
    return this.notices.length
  }

  offer(notice: StreamNotice): boolean {
    if (this.waiting >= waitingMax) return false
    if (this.notices === nothing) this.notices = [notice]
    else (this.notices as Array<StreamNotice>).push(notice)
    this.wake()
    return true
  }

  end(): void {
    this.isEnded = true
    this.wake()
  }

  next(now: number): Effect.Effect<ReadonlyArray<string> | undefined, ReadFailed> {
    if (this.text.isOver) return isOver
    if (this.isFirst) {
      this.isFirst = false
      this.quiet_since = now
      return this.find(nothing)
    }
    if (this.held !== undefined && this.known) return this.catchUp(this.known, this.held)
    if (this.waiting > 0) {
      this.quiet_since = now
      const { notices } = this
      this.notices = nothing
      return this.forClient(notices)
    }
    if (this.isEnded) return isOver
    return this.idle(now)
  }

  private idle(now: number): Effect.Effect<ReadonlyArray<string> | undefined> {
    if (now < this.due_at) return toldNothing
    if (now - this.opened_at >= max_age_ms) return isOver
    this.quiet_since = now
    return Effect.succeed([ping])
  }

  private forClient(notices: ReadonlyArray<StreamNotice>): Lines {
    if (this.known === null) return toldNothing
    if (this.known !== undefined) return this.told(notices)
    return Effect.tap(this.find(notices), () => Effect.sync(() => void (this.known ??= null)))
  }

  private find(held: ReadonlyArray<StreamNotice>): Lines {
    return Effect.flatMap(this.log.find(this.workspace_id, this.ref), (record) => {
      if (record === undefined) return toldNothing
      this.known = record
      const joined = this.join(record, held)
      return record.ended_at === null ? Effect.andThen(this.recordViewer(this), joined) : joined
    })
  }

  private told(notices: ReadonlyArray<StreamNotice>): Lines {
    if (!this.text.misses(notices)) return Effect.succeed(this.text.unseen(notices))
    this.held = notices
    return toldNothing
  }

  // The log is read after the stream has subscribed, so that no event is lost between the two.
  private join(record: CallRecord, held: ReadonlyArray<StreamNotice>): Lines {
    const { log, text, workspace_id } = this
    const present = Effect.map(log.present(workspace_id, record, text), (lines) =>
      this.withEnd(record, [...lines, ...text.unseen(held)])
    )
    if (!text.isResuming) return present
    return Effect.flatMap(log.newestSequence(workspace_id, record), (newest): Lines => {
      if (text.since > newest) {
        const lines = text.restart(record.id)
        return Effect.map(present, (others) => [...lines, ...others])
      }
      this.held = held
      return toldNothing
    })
  }

  /** One page of the log, until the client has all of it. Then what came meanwhile, and the end of an ended call. */
  private catchUp(record: CallRecord, held: ReadonlyArray<StreamNotice>): Lines {
    return Effect.map(this.log.nextPage(this.workspace_id, record, this.text), ({ isLast, lines }) => {
      if (!isLast) return lines
      this.held = undefined
      return this.withEnd(record, [...lines, ...this.text.unseen(held)])
    })
  }

  private withEnd(record: CallRecord, lines: ReadonlyArray<string>): ReadonlyArray<string> {
    return this.text.isOver || !isTerminal(record.status) ? lines : [...lines, this.text.finish()]
  }
}
