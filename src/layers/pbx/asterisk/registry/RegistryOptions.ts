import type { Effect } from "effect"
import type { Timers } from "../../../../actors/runtime/Timers.ts"
import type { PbxEventData, PbxEventType } from "../../../../domain/pbx/PbxEvent.ts"
import type { TargetPolicy } from "../../../../domain/targets/TargetUrl.ts"
import type { Ari } from "../ari/Ari.ts"
import type { Manager } from "../ari/Manager.ts"
import type { certificateFault } from "./CertificateFault.ts"

/** What users and trunks are provisioned with. */
export interface RegistryOptions {
  readonly ari: Ari
  readonly app: string
  /** The name of the carrier's endpoint. */
  readonly carrier: string
  readonly certificateFault: typeof certificateFault
  readonly manager: Manager
  readonly report: (tenant_pbx_id: string, type: PbxEventType, data: PbxEventData, at: number) => void
  /** Epoch milliseconds. */
  readonly now: () => number
  /** Seconds without audio after which Asterisk hangs up a call. `false`: never. */
  readonly media_timeout: number | false
  /** The hosts of the platform: names, addresses and ranges. */
  readonly platform: Effect.Effect<ReadonlyArray<string>>
  readonly policy: TargetPolicy
  readonly run: (effect: Effect.Effect<void>) => void
  readonly timers: Timers
  readonly uuid: () => string
}
