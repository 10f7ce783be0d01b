// Says that a workspace may have new events. The events themselves are read from EventLog.
import { Context, type Effect, type Queue, type Scope } from "effect"
import type { WorkspaceId } from "../../BrandedIds.ts"

export class NewEvents extends Context.Service<
  NewEvents,
  {
    /** A queue of at most one item, which says that there may be new events. It is given up with the scope. */
    readonly follow: (workspace_id: WorkspaceId) => Effect.Effect<Queue.Dequeue<void>, never, Scope.Scope>
  }
>()("trunkline/domain/ports/NewEvents") {}
