// Says that a workspace may have new events. The events themselves are read from EventLog.
import { Context, type Effect, type Scope } from "effect"
import type { WorkspaceId } from "../../BrandedIds.ts"

export class NewEvents extends Context.Service<
  NewEvents,
  {
    /** Calls `woken`, until the scope closes, whenever there may be new events. It is called often and must be quick. */
    readonly follow: (workspace_id: WorkspaceId, woken: () => void) => Effect.Effect<void, never, Scope.Scope>
  }
>()("trunkline/domain/ports/NewEvents") {}
