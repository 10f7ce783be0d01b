// Says that a workspace may have new events. The events themselves are read from EventLog.
import { Context, type Effect, type Scope } from "effect"
import type { WorkspaceId } from "../../BrandedIds.ts"

export class NewEvents extends Context.Service<
  NewEvents,
  {
    /** Calls `woken` whenever there may be new events, until the scope closes. It is called often: be quick. */
    readonly follow: (workspace_id: WorkspaceId, woken: () => void) => Effect.Effect<void, never, Scope.Scope>
  }
>()("trunkline/domain/ports/NewEvents") {}
