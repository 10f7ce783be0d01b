import { Context } from "effect"

/** Who may speak as a PBX gateway (docs/pbx-protocol.md). No key of a tenant ever opens this door. */
export class PbxAuth extends Context.Service<PbxAuth, {
  /** Whether the Authorization header bears the ingest secret. */
  readonly bears: (authorization: string | undefined) => boolean
  /**
   * Whether `X-Pbx-Signature` signs this raw body not more than 300 s away from `now` (epoch milliseconds). A request
   * without the header passes where signatures are not required.
   */
  readonly signed: (signature: string | undefined, body: Uint8Array, now: number) => boolean
}>()("trunkline/domain/ports/PbxAuth") {}
