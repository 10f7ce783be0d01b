// The log of events over the memory journal, with the same results as on PostgreSQL.
import { Effect, Layer } from "effect"
import { EventLog } from "../../domain/ports/webhooks/EventLog.ts"
import { type EventPosition, positionBefore } from "../../domain/webhooks/EventPosition.ts"
import type { MemoryJournal } from "../journal/MemoryJournal.ts"
import type { StoredEvent } from "../journal/MemoryTables.ts"
import type { WorkspaceId } from "../../domain/BrandedIds.ts"

interface Placed {
  readonly event: StoredEvent
  readonly position: EventPosition
}

/** Events are stored one after the other, so an event's place is its index, from 1. */
export const eventLog = ({ tables: { events } }: MemoryJournal): Layer.Layer<EventLog> => {
  const placed = (event: StoredEvent, index: number): Placed => ({
    event,
    position: { order: BigInt(index + 1), sequence: event.sequence, id: event.id }
  })
  const end = () => positionBefore(BigInt(events.length + 1))

  const isAfter = (position: EventPosition, place: EventPosition): boolean =>
    position.order === place.order
      ? position.sequence > place.sequence || (position.sequence === place.sequence && position.id > place.id)
      : position.order > place.order

  const of = (workspace_id: WorkspaceId) => (row: Placed) => row.event.workspace_id === workspace_id

  return Layer.succeed(EventLog)({
    end: Effect.sync(end),
    placeOf: (workspace_id, at) =>
      Effect.sync(() => {
        const first = events.map(placed).find((row) => row.event.recorded_at >= at && of(workspace_id)(row))
        return first === undefined ? end() : positionBefore(first.position.order)
      }),
    after: (workspace_id, place, kinds, limit) =>
      Effect.sync(() =>
        events
          .map(placed)
          .filter((row) => of(workspace_id)(row) && isAfter(row.position, place))
          .slice(0, limit)
          .map(({ event: { kind, occurred_at, payload, recorded_at }, position }) => ({
            position,
            kind,
            occurred_at,
            recorded_at,
            payload: kinds.some((asked) => asked === kind) ? payload : null
          }))
      ),
    changed: (workspace_ids, since) =>
      Effect.sync(() => {
        const later = events.map(placed).filter(({ position }) => isAfter(position, since))
        return { end: end(), workspace_ids: workspace_ids.filter((id) => later.some(of(id))) }
      })
  })
}
