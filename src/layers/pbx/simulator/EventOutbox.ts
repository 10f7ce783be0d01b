// Events that the engine has not acknowledged, as every gateway must keep them.
import type { PbxEvent } from "../../../domain/pbx/PbxEvent.ts"

interface Entry {
  readonly event: PbxEvent
  sent_at: number
}

export class EventOutbox {
  private readonly entries = new Map<string, Entry>()
  private unsent: Array<PbxEvent> = []

  get size(): number {
    return this.entries.size
  }

  /** The same event may be added twice: then it is sent twice and settled once. */
  add(event: PbxEvent): void {
    if (!this.entries.has(event.event_id)) this.entries.set(event.event_id, { event, sent_at: 0 })
    this.unsent.push(event)
  }

  /** What was not sent yet, in order. */
  takeUnsent(now: number): ReadonlyArray<PbxEvent> {
    const events = this.unsent
    this.unsent = []
    for (const { event_id } of events) {
      const entry = this.entries.get(event_id)
      if (entry !== undefined) entry.sent_at = now
    }
    return events
  }

  settle(event_ids: ReadonlyArray<string>): void {
    for (const id of event_ids) this.entries.delete(id)
  }

  /** Queues what was sent at or before `sent_by` for sending again, oldest first. */
  again(sent_by: number, limit: number): void {
    const waiting = new Set(this.unsent)
    const late: Array<PbxEvent> = []
    for (const { event, sent_at } of this.entries.values()) {
      if (late.length === limit) break
      if (sent_at <= sent_by && !waiting.has(event)) late.push(event)
    }
    this.unsent = [...late, ...this.unsent]
  }
}
