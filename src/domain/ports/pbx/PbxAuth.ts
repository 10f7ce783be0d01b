import { Context } from "effect"
import type { GatewayIdentity } from "../../pbx/GatewayIdentity.ts"

/** A client with a valid ingest secret. */
export interface PbxBearer {
  readonly identity: GatewayIdentity
  /**
   * Whether `X-Pbx-Signature` is valid for this raw body under the same secret, with a time within 300 s of `now`
   * (epoch milliseconds). A request without the header passes unless signatures are required.
   */
  readonly signed: (signature: string | undefined, body: Uint8Array, now: number) => boolean
}

/** Authenticates PBX gateways (docs/pbx-protocol.md). No API key of a tenant is ever accepted here. */
export class PbxAuth extends Context.Service<
  PbxAuth,
  {
    /** Undefined: the Authorization header has no valid ingest secret. */
    readonly admit: (authorization: string | undefined) => PbxBearer | undefined
  }
>()("trunkline/domain/ports/PbxAuth") {}
