import { Context, type Effect } from "effect"
import type { ReadFailed } from "../../errors/ReadFailed.ts"
import type { GatewayId, NumberId, WorkspaceId } from "../../BrandedIds.ts"
import type { CarryingGateway } from "../../pbx/GatewayRecord.ts"

/** The workspaces of PBX gateways. */
export class GatewayTenants extends Context.Service<
  GatewayTenants,
  {
    /** How many workspaces it carries. */
    readonly carried: (gateway_id: GatewayId) => Effect.Effect<number, ReadFailed>
    /** Every gateway that carries a workspace or has ever connected, by its id, and how many workspaces it carries. */
    readonly all: Effect.Effect<ReadonlyArray<CarryingGateway>, ReadFailed>
    /** The workspaces of this gateway that have SIP credentials or a trunk. */
    readonly provisioned: (gateway_id: GatewayId) => Effect.Effect<ReadonlyArray<WorkspaceId>, ReadFailed>
    /** The numbers that workspaces of this gateway use in the chat app. */
    readonly chatAppNumbers: (gateway_id: GatewayId) => Effect.Effect<ReadonlyArray<NumberId>, ReadFailed>
  }
>()("trunkline/domain/ports/GatewayTenants") {}
