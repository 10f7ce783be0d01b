import { Context, type Effect } from "effect"
import type { ReadFailed } from "../errors/ReadFailed.ts"
import type { WorkspaceId } from "../BrandedIds.ts"

/** Whose things a PBX holds. */
export class GatewayTenants extends Context.Service<
  GatewayTenants,
  {
    /** The workspaces that the gateway carries and that have SIP credentials or a trunk. */
    readonly provisioned: (gateway_id: string) => Effect.Effect<ReadonlyArray<WorkspaceId>, ReadFailed>
  }
>()("trunkline/domain/ports/GatewayTenants") {}
