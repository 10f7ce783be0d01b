// Tries a call without placing it.
import { Context, type Effect } from "effect"
import type { WorkspaceId } from "../../BrandedIds.ts"
import type { SimulatedCall, SimulationRefusal, SimulationRequest } from "../../calls/views/Simulation.ts"

export class CallSimulator extends Context.Service<
  CallSimulator,
  {
    /**
     * Runs the call in virtual time, with the workspace's numbers, prices and policy. It stores nothing, charges
     * nothing and rings nowhere; only the callback is asked. Refuses what would refuse the call.
     */
    readonly run: (
      workspace_id: WorkspaceId,
      request: SimulationRequest
    ) => Effect.Effect<SimulatedCall, SimulationRefusal>
  }
>()("trunkline/domain/ports/CallSimulator") {}
