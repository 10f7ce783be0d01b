// What the engine must know of tenants on its hot paths: read from memory, kept fresh by the layer behind it.
import { Context, type Effect } from "effect"
import type { Extension } from "../credentials/Extension.ts"
import type { CallingPolicy } from "../calls/CallingPolicy.ts"
import type { ReplacedSecret } from "../workspace/VoiceSecret.ts"
import type { NumberMode } from "../workspace/Workspace.ts"
import type { Routing } from "../numbers/Routing.ts"
import type { ServingTrunk } from "../trunks/TrunkCapacity.ts"

export type Currency = "KES" | "UGX" | "TZS" | "RWF" | "ZAR" | "GHS" | "NGN"

export interface Workspace {
  readonly id: string
  readonly name: string
  readonly status: "onboarding" | "active" | "suspended" | "closed"
  readonly currency: Currency | null
  readonly tenant_pbx_id: string
  /** The PBX gateway that carries the workspace's calls. */
  readonly gateway_id: string
  /** Signs voice callbacks. */
  readonly voice_secret: string
  /** The one before, while it signs too. */
  readonly previous_voice_secret?: ReplacedSecret | null
  readonly calling_policy: CallingPolicy
  /** Days for which recordings are kept. */
  readonly retention_days: number
  /** Whose numbers it has chosen to use: the platform's, or its own. */
  readonly number_mode: NumberMode
}

export interface OwnedNumber {
  readonly id: string
  readonly number: string
  readonly status: "active" | "past_due" | "suspended" | "released" | "retired"
  /** `byo`: its calls go over the workspace's own trunk, at rates of their own. */
  readonly source: "platform" | "byo"
  readonly country: string
  readonly outbound_per_min_minor: number | null
  readonly inbound_per_min_minor: number | null
  /** What becomes of its inbound calls. */
  readonly routing: Routing
}

export interface AssignedNumber extends OwnedNumber {
  readonly workspace_id: string
}

export interface Rate {
  readonly prefix: string
  readonly per_min_minor: number
  readonly class: "normal" | "high_risk" | "premium" | "blocked" | "byo"
}

export class Directory extends Context.Service<
  Directory,
  {
    readonly workspace: (workspace_id: string) => Effect.Effect<Workspace | undefined>
    readonly workspaceOfPbx: (tenant_pbx_id: string) => Effect.Effect<Workspace | undefined>
    /** The number of this workspace, in whatever state; undefined when the workspace has none such. */
    readonly number: (workspace_id: string, e164: string) => Effect.Effect<OwnedNumber | undefined>
    /** The number of whatever workspace it belongs to now; undefined where none has it. */
    readonly numberOf: (e164: string) => Effect.Effect<AssignedNumber | undefined>
    /** All extensions of the workspace that are in use, of numbers that it still has. */
    readonly extensions: (workspace_id: string) => Effect.Effect<ReadonlyArray<Extension>>
    /** The workspace's own trunk that serves; undefined where none does. */
    readonly trunk: (workspace_id: string) => Effect.Effect<ServingTrunk | undefined>
    /**
     * The rate row in force: longest prefix of the digits, then the latest `effective_from` not after `at`. Numbers of the
     * workspace's own have rates of the class `byo` and no others.
     */
    readonly rate: (
      currency: Currency,
      direction: "outbound" | "inbound",
      digits: string,
      at: number,
      source?: OwnedNumber["source"]
    ) => Effect.Effect<Rate | undefined>
  }
>()("trunkline/domain/ports/Directory") {}
