import type { GatewayId } from "../BrandedIds.ts"

/**
 * Which gateways a client may act for, by the secret that it presented: the gateway with this id; or, with the shared
 * secret, every gateway that has no secret of its own (`except` lists those that have one).
 */
export type GatewayIdentity = string | { readonly except: ReadonlySet<string> }

export const mayActFor = (identity: GatewayIdentity, gateway_id: GatewayId): boolean =>
  typeof identity === "string" ? identity === gateway_id : !identity.except.has(gateway_id)
