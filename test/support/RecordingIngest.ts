// Takes the place of the calls: records the events of a gateway once each, and can be made to fail.
import { Effect, Layer } from "effect"
import { PbxIngest } from "../../src/actors/ingest/PbxIngest.ts"
import type { PbxEvent } from "../../src/domain/pbx/PbxEvent.ts"

export class RecordingIngest {
  /** In the order of arrival. */
  readonly events: Array<PbxEvent> = []
  /** How often each event was received. */
  readonly told = new Map<string, number>()
  /** Gateways that connected, each with the sessions that it named. */
  readonly returned: Array<ReadonlyArray<string>> = []
  /** Selects events that cannot be stored now. */
  fails: (event: PbxEvent) => boolean = () => false

  get layer(): Layer.Layer<PbxIngest> {
    return Layer.succeed(PbxIngest)({
      ingest: (_, events) => Effect.sync(() => this.take(events)),
      reconcile: (gateway_id, live_sessions) =>
        Effect.sync(() => void this.returned.push([gateway_id, ...live_sessions]))
    })
  }

  of(session_id: string): ReadonlyArray<PbxEvent> {
    return this.events.filter((event) => event.session_id === session_id).sort((a, b) => a.seq - b.seq)
  }

  private take(events: ReadonlyArray<PbxEvent>) {
    const taken = events.filter((event) => !this.fails(event))
    for (const event of taken) {
      const times = this.told.get(event.event_id) ?? 0
      this.told.set(event.event_id, times + 1)
      if (times === 0) this.events.push(event)
    }
    const idsOf = (some: ReadonlyArray<PbxEvent>) => some.map(({ event_id }) => event_id)
    return {
      accepted: taken.length,
      duplicate: 0,
      ignored_late: 0,
      taken: idsOf(taken),
      refused: [],
      failed: idsOf(events.filter(this.fails))
    }
  }
}
