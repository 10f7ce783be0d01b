// A gateway as operators see it.
import { Schema } from "effect"
import { GatewayId } from "../BrandedIds.ts"
import type { GatewayPresence } from "./GatewayPresence.ts"
import { isoInstant } from "../kit/Instants.ts"

/** A gateway, and how many workspaces it carries. */
export interface CarryingGateway {
  readonly gateway_id: GatewayId
  readonly workspaces: number
}

export const GatewayRecord = Schema.Struct({
  gateway_id: GatewayId.annotate({ description: "The name with which the gateway connects." }),
  state: Schema.Literals(["connected", "away", "never_connected"]).annotate({
    description: "`away`: it was connected before. Calls of its workspaces are refused until it is back."
  }),
  since: Schema.NullOr(Schema.String).annotate({
    description:
      "Since when it has been connected or away, as far as this run of the engine knows; `null` if it never connected."
  }),
  connections: Schema.Int.annotate({ description: "How often it has connected." }),
  workspaces: Schema.Int.annotate({ description: "How many workspaces it carries." })
}).annotate({ identifier: "Gateway" })
export type GatewayRecord = typeof GatewayRecord.Type

export const gatewayRecord = (
  { gateway_id, workspaces }: CarryingGateway,
  { connected, epoch, since }: GatewayPresence
): GatewayRecord => ({
  gateway_id,
  state: connected ? "connected" : epoch === 0 ? "never_connected" : "away",
  since: epoch === 0 ? null : isoInstant(since),
  connections: epoch,
  workspaces
})
