// Reads the log of a workspace for its live streams. Streams that are at the same place and tell the same kinds share
// one read and its text.
import { Deferred, Effect } from "effect"
import type { WorkspaceId } from "../../domain/BrandedIds.ts"
import type { ReadFailed } from "../../domain/errors/ReadFailed.ts"
import type { EventKind } from "../../domain/events/EventTable.ts"
import type { EventLog } from "../../domain/ports/webhooks/EventLog.ts"
import { type EventPosition, positionText } from "../../domain/webhooks/EventPosition.ts"
import { eventText } from "./WorkspaceStreamText.ts"

/** How many events are read at a time. */
const page = 200

export interface EventPage {
  /** The place after its events. */
  readonly place: EventPosition
  /** Whether its last event is one that the client asked for. */
  readonly isTold: boolean
  readonly text: ReadonlyArray<string>
}

interface Reading {
  /** The news that the read cannot have missed. */
  readonly news: number
  readonly page: Deferred.Deferred<EventPage | undefined, ReadFailed>
}

export const makeEventPages = (log: EventLog["Service"]) => {
  const readings = new Map<string, Reading>()
  let news = 0

  const read = (workspace_id: WorkspaceId, place: EventPosition, kinds: ReadonlyArray<EventKind>) =>
    Effect.map(log.after(workspace_id, place, kinds, page), (events): EventPage | undefined => {
      const last = events.at(-1)
      if (last === undefined) return undefined
      const text = events.flatMap((event) => eventText(workspace_id, event)).join("")
      return { place: last.position, isTold: last.payload !== null, text: text === "" ? [] : [text] }
    })

  return {
    /** There may be new events. A read that has begun may lack them, so no other stream joins it. */
    changed: (): void => void news++,

    /** The next events after the place. Undefined if there are none. */
    after: (
      workspace_id: WorkspaceId,
      place: EventPosition,
      kinds: ReadonlyArray<EventKind>
    ): Effect.Effect<EventPage | undefined, ReadFailed> =>
      Effect.suspend(() => {
        const key = `${workspace_id} ${positionText(place)} ${kinds.join()}`
        const begun = readings.get(key)
        if (begun?.news === news) return Deferred.await(begun.page)
        const reading: Reading = { news, page: Deferred.makeUnsafe() }
        readings.set(key, reading)
        return Effect.onExit(read(workspace_id, place, kinds), (exit) =>
          Effect.sync(() => {
            if (readings.get(key) === reading) readings.delete(key)
            Deferred.doneUnsafe(reading.page, exit)
          })
        )
      })
  }
}

export type EventPages = ReturnType<typeof makeEventPages>
