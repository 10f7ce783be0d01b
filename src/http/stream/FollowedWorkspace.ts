// The live stream of a workspace: the events of its log after a place, pings while there are none, and its end. It
// reads at the pace of its client, so a slow client takes no memory.
import { Effect } from "effect"
import type { EventKind } from "../../domain/events/EventTable.ts"
import type { ReadFailed } from "../../domain/errors/ReadFailed.ts"
import { type EventPosition, positionBefore } from "../../domain/webhooks/EventPosition.ts"
import type { EventPage, EventPages } from "./EventPages.ts"
import { LiveStream, type Opened } from "./LiveStream.ts"
import { closingText, opening, ping } from "./StreamText.ts"
import { placeText } from "./WorkspaceStreamText.ts"

const ping_ms = 15_000
/** A client connects again after this time, so that no stream is open for ever. */
const max_age_ms = 15 * 60_000

export interface FollowedWorkspaceOptions extends Opened {
  readonly pages: EventPages
  readonly kinds: ReadonlyArray<EventKind>
  /** Epoch milliseconds. */
  readonly opened_at: number
}

export class FollowedWorkspace extends LiveStream {
  protected opening: ReadonlyArray<string> = opening
  private readonly pages: EventPages
  private readonly kinds: ReadonlyArray<EventKind>
  private readonly opened_at: number
  /** All events up to here were told, or were not asked for. */
  private place: EventPosition = positionBefore(0n)
  /** Whether the client knows the place. */
  private isTold = true
  private isLeaving = false
  /** The log may have events after the place. */
  private isBehind = true
  /** When the client was last sent something. Events that it did not ask for do not put its ping off. */
  private sent_at: number

  constructor(options: FollowedWorkspaceOptions) {
    super(options)
    this.pages = options.pages
    this.kinds = options.kinds
    this.opened_at = options.opened_at
    this.sent_at = options.opened_at
  }

  /** Where it begins. `reset`: the text that tells the client why not where it asked. */
  start(place: EventPosition, reset: string | undefined): void {
    this.place = place
    this.opening = [...opening, ...(reset === undefined ? [] : [reset]), placeText(place)]
  }

  news(): void {
    this.isBehind = true
    this.pages.changed()
    this.wake()
  }

  get due_at(): number {
    return this.sent_at + ping_ms
  }

  get hasMore(): boolean {
    return this.isBehind || this.isLeaving
  }

  next(now: number): Effect.Effect<ReadonlyArray<string> | undefined, ReadFailed> {
    if (this.isLeaving) return Effect.succeed(undefined)
    if (now >= this.due_at) return Effect.succeed(this.idle(now))
    if (!this.isBehind) return Effect.succeed([])
    this.isBehind = false
    return Effect.map(this.pages.after(this.workspace_id, this.place, this.kinds), (page) => this.told(page, now))
  }

  private told(page: EventPage | undefined, now: number): ReadonlyArray<string> {
    if (page === undefined) return []
    this.isBehind = true
    this.place = page.place
    this.isTold = page.isTold
    if (page.text.length > 0) this.sent_at = now
    return page.text
  }

  private idle(now: number): ReadonlyArray<string> {
    this.sent_at = now
    if (now - this.opened_at >= max_age_ms) {
      this.isLeaving = true
      return [closingText("max_age")]
    }
    const text = this.isTold ? ping : placeText(this.place)
    this.isTold = true
    return [text]
  }
}
