// The events that a gateway has not delivered yet. Each is sent again until the engine has acknowledged it.
import type { Timers } from "../../actors/runtime/Timers.ts"
import type { PbxEvent } from "../../domain/pbx/PbxEvent.ts"
import type { SessionId } from "../../domain/BrandedIds.ts"

const resend_ms = 2000
/** The most events that are resent at once. */
const resendMax = 1000

interface Entry {
  readonly event: PbxEvent
  sent_at: number
}

export interface EventOutboxOptions {
  readonly timers: Timers
  /** Epoch milliseconds. */
  readonly now: () => number
  readonly send: (events: ReadonlyArray<PbxEvent>) => void
}

export class EventOutbox {
  private readonly options: EventOutboxOptions
  private readonly entries = new Map<string, Entry>()
  private unsent: Array<PbxEvent> = []
  private holding = true
  private collecting = false
  private resending = false

  constructor(options: EventOutboxOptions) {
    this.options = options
  }

  /** The number of unacknowledged events. */
  get size(): number {
    return this.entries.size
  }

  /** Whether the unacknowledged events include the end of the session. */
  owesEnd(session_id: SessionId): boolean {
    for (const { event } of this.entries.values()) {
      if (event.type === "leg.hangup" && event.session_id === session_id) return true
    }
    return false
  }

  /** Events that are added together are sent together. An event that is added twice is sent twice and settled once. */
  add(event: PbxEvent): void {
    if (!this.entries.has(event.event_id)) this.entries.set(event.event_id, { event, sent_at: 0 })
    this.unsent.push(event)
    this.collect()
  }

  /** The engine has taken or refused these events. */
  settle(event_ids: ReadonlyArray<string>): void {
    for (const id of event_ids) this.entries.delete(id)
  }

  /** Withholds events until `release`. A new outbox withholds them too. */
  hold(): void {
    this.holding = true
  }

  /** Sends all unacknowledged events, oldest first. */
  release(): void {
    this.holding = false
    this.requeue(Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY)
    this.collect()
  }

  private collect(): void {
    if (this.collecting) return
    this.collecting = true
    queueMicrotask(() => {
      this.collecting = false
      if (this.holding) return
      this.sendUnsent()
      this.scheduleResend()
    })
  }

  private sendUnsent(): void {
    const events = this.unsent
    if (events.length === 0) return
    this.unsent = []
    const now = this.options.now()
    for (const { event_id } of events) {
      const entry = this.entries.get(event_id)
      if (entry !== undefined) entry.sent_at = now
    }
    this.options.send(events)
  }

  private scheduleResend(): void {
    if (this.resending || this.entries.size === 0) return
    this.resending = true
    this.options.timers.set(this.options.now() + resend_ms, () => {
      this.resending = false
      this.requeue(this.options.now() - resend_ms, resendMax)
      this.collect()
    })
  }

  private requeue(sent_by: number, limit: number): void {
    const waiting = new Set(this.unsent)
    const overdue: Array<PbxEvent> = []
    for (const { event, sent_at } of this.entries.values()) {
      if (overdue.length === limit) break
      if (sent_at <= sent_by && !waiting.has(event)) overdue.push(event)
    }
    this.unsent = [...overdue, ...this.unsent]
  }
}
