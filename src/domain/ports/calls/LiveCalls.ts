import { Context, type Effect } from "effect"
import type { ReadFailed } from "../../errors/ReadFailed.ts"
import type { GatewayId } from "../../BrandedIds.ts"
import type { LiveCall } from "../../pbx/Session.ts"

/** Finds calls that have not ended, on all nodes. */
export class LiveCalls extends Context.Service<
  LiveCalls,
  {
    /** The calls of this PBX gateway that have not ended, of all workspaces. */
    readonly onGateway: (gateway_id: GatewayId) => Effect.Effect<ReadonlyArray<LiveCall>, ReadFailed>
  }
>()("trunkline/domain/ports/LiveCalls") {}
