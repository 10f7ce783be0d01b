import { Context, type Effect } from "effect"
import type { ReadFailed } from "../errors/ReadFailed.ts"
import type { GatewayId, WorkspaceId } from "../BrandedIds.ts"

/** Finds the workspaces whose SIP credentials and trunks a PBX gateway has to know. */
export class GatewayTenants extends Context.Service<
  GatewayTenants,
  {
    /** The workspaces of this gateway that have SIP credentials or a trunk. */
    readonly provisioned: (gateway_id: GatewayId) => Effect.Effect<ReadonlyArray<WorkspaceId>, ReadFailed>
  }
>()("trunkline/domain/ports/GatewayTenants") {}
