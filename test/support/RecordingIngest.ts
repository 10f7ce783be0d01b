// Stands where the calls are: keeps what a gateway reports, once each, and can be told to fail.
import { Effect, Layer } from "effect"
import { PbxIngest } from "../../src/actors/PbxIngest.ts"
import type { PbxEvent } from "../../src/domain/pbx/PbxEvent.ts"

export class RecordingIngest {
  /** In the order of arrival. */
  readonly events: Array<PbxEvent> = []
  /** How often each event was told. */
  readonly told = new Map<string, number>()
  /** Nothing can be stored. */
  failing = false

  get layer(): Layer.Layer<PbxIngest> {
    return Layer.succeed(PbxIngest)({ ingest: (_, events) => Effect.sync(() => this.take(events)) })
  }

  of(session_id: string): ReadonlyArray<PbxEvent> {
    return this.events.filter((event) => event.session_id === session_id).sort((a, b) => a.seq - b.seq)
  }

  private take(events: ReadonlyArray<PbxEvent>) {
    const ids = events.map(({ event_id }) => event_id)
    if (this.failing) return { accepted: 0, duplicate: 0, ignored_late: 0, taken: [], refused: [], failed: ids }
    for (const event of events) {
      const times = this.told.get(event.event_id) ?? 0
      this.told.set(event.event_id, times + 1)
      if (times === 0) this.events.push(event)
    }
    return { accepted: events.length, duplicate: 0, ignored_late: 0, taken: ids, refused: [], failed: [] }
  }
}
