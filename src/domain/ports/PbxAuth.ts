import { Context } from "effect"
import type { GatewayIdentity } from "../pbx/GatewayIdentity.ts"

/** Whoever bears an ingest secret. */
export interface PbxBearer {
  readonly identity: GatewayIdentity
  /**
   * Whether `X-Pbx-Signature` signs this raw body under the same secret, not more than 300 s away from `now` (epoch
   * milliseconds). A request without the header passes where signatures are not required.
   */
  readonly signed: (signature: string | undefined, body: Uint8Array, now: number) => boolean
}

/** Who may speak as a PBX gateway (docs/pbx-protocol.md). No key of a tenant ever opens this door. */
export class PbxAuth extends Context.Service<
  PbxAuth,
  {
    /** Undefined: the Authorization header bears no ingest secret. */
    readonly admit: (authorization: string | undefined) => PbxBearer | undefined
  }
>()("trunkline/domain/ports/PbxAuth") {}
