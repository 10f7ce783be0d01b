// The gateway's end of the promise that no event is lost: each is told again until the engine has acknowledged it.
import type { Timers } from "../../actors/runtime/Timers.ts"
import type { PbxEvent } from "../../domain/pbx/PbxEvent.ts"

const resend_ms = 2000
/** The most events told again at once. */
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
  private held = true
  private collecting = false
  private resending = false

  constructor(options: EventOutboxOptions) {
    this.options = options
  }

  /** Events without acknowledgement. */
  get size(): number {
    return this.entries.size
  }

  /** Whether the end of the session is among them. */
  owesEnd(session_id: string): boolean {
    for (const { event } of this.entries.values()) {
      if (event.type === "leg.hangup" && event.session_id === session_id) return true
    }
    return false
  }

  /** The same event may be added twice: then it is told twice and settled once. Those of one moment go together. */
  add(event: PbxEvent): void {
    if (!this.entries.has(event.event_id)) this.entries.set(event.event_id, { event, sent_at: 0 })
    this.unsent.push(event)
    this.collect()
  }

  settle(event_ids: ReadonlyArray<string>): void {
    for (const id of event_ids) this.entries.delete(id)
  }

  /** Keeps events back, as an outbox does that was just made. */
  hold(): void {
    this.held = true
  }

  /** Tells all that is not acknowledged, from the oldest on. */
  release(): void {
    this.held = false
    this.queueAgain(Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY)
    this.collect()
  }

  private collect(): void {
    if (this.collecting) return
    this.collecting = true
    queueMicrotask(() => {
      this.collecting = false
      if (this.held) return
      this.sendUnsent()
      this.resendLater()
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

  private resendLater(): void {
    if (this.resending || this.entries.size === 0) return
    this.resending = true
    this.options.timers.set(this.options.now() + resend_ms, () => {
      this.resending = false
      this.queueAgain(this.options.now() - resend_ms, resendMax)
      this.collect()
    })
  }

  private queueAgain(sent_by: number, limit: number): void {
    const waiting = new Set(this.unsent)
    const late: Array<PbxEvent> = []
    for (const { event, sent_at } of this.entries.values()) {
      if (late.length === limit) break
      if (sent_at <= sent_by && !waiting.has(event)) late.push(event)
    }
    this.unsent = [...late, ...this.unsent]
  }
}
