// Reads the events of workspaces in the order in which they were stored.
import { Context, type Effect } from "effect"
import type { WorkspaceId } from "../../BrandedIds.ts"
import type { ReadFailed } from "../../errors/ReadFailed.ts"
import type { EventKind } from "../../events/EventTable.ts"
import type { EventPosition } from "../../webhooks/EventPosition.ts"
import type { LoggedEvent } from "../../webhooks/LoggedEvent.ts"

export class EventLog extends Context.Service<
  EventLog,
  {
    /** The place after everything that can be read now. No event will ever be stored before it. */
    readonly end: Effect.Effect<EventPosition, ReadFailed>
    /** The place before the first event that was stored at or after `at` (epoch milliseconds). */
    readonly placeOf: (workspace_id: WorkspaceId, at: number) => Effect.Effect<EventPosition, ReadFailed>
    /** The events after the place, oldest first, at most `limit`. Those of other kinds have no payload. */
    readonly after: (
      workspace_id: WorkspaceId,
      place: EventPosition,
      kinds: ReadonlyArray<EventKind>,
      limit: number
    ) => Effect.Effect<ReadonlyArray<LoggedEvent>, ReadFailed>
    /** Which of the workspaces have events from `since` on, and the end at that moment. */
    readonly changed: (
      workspace_ids: ReadonlyArray<WorkspaceId>,
      since: EventPosition
    ) => Effect.Effect<{ readonly end: EventPosition; readonly workspace_ids: ReadonlyArray<WorkspaceId> }, ReadFailed>
  }
>()("trunkline/domain/ports/EventLog") {}
