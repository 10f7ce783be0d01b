// A workspace: its members, its calling policy, its voice secret and its choice of numbers. Times are epoch
// milliseconds.
import { Schema } from "effect"
import type { CallingPolicy, CallingPolicyChange } from "../calls/policy/CallingPolicy.ts"
import type { PolicyCeilingsChange } from "../calls/policy/PolicyCeilings.ts"
import type { Origin } from "../access/Origin.ts"
import { ownerRights } from "../access/Role.ts"
import { Currency } from "../wallet/Currency.ts"
import { ReplacedSecret } from "./VoiceSecret.ts"
import { evolveMembers, Members, type MemberEvent } from "./Members.ts"
import { GatewayId, type UserId, WorkspaceId } from "../BrandedIds.ts"
import { Count, EpochMs, optional, orNull } from "../kit/Fields.ts"
import { StoredCeilings, StoredPolicy } from "./StoredPolicy.ts"

/** Whether the workspace uses numbers of the platform or its own numbers over its own trunk. The choice is final. */
export const NumberMode = Schema.Literals(["unset", "platform", "byoc"])
export type NumberMode = typeof NumberMode.Type

/** `onboarding` until the wallet is open. `closed` is final. */
export const WorkspaceStatus = Schema.Literals(["onboarding", "active", "suspended", "closed"])
export type WorkspaceStatus = typeof WorkspaceStatus.Type

/** Whether nothing in the workspace can be changed and no call can begin. Calls in progress end by themselves. */
export const isShut = (status: WorkspaceStatus): boolean => status === "suspended" || status === "closed"

/** The statuses that a sandbox takes over from its workspace. */
export const SandboxStatus = Schema.Literals(["active", "suspended", "closed"])
export type SandboxStatus = typeof SandboxStatus.Type

/**
 * The status that the sandbox of a workspace with this status must have. It can be used before the onboarding ends.
 */
export const sandboxStatusOf = (status: WorkspaceStatus): SandboxStatus => (status === "onboarding" ? "active" : status)

/** What a workspace knows of its sandbox. */
const SandboxLink = Schema.Struct({
  /** The status that the sandbox was last given; null: it may not exist yet. */
  status: orNull(SandboxStatus),
  /** The name that it was last given. Absent before the first. */
  name: optional(Schema.String)
})

/** The state of a workspace that exists. */
export const WorkspaceFacts = Schema.Struct({
  name: Schema.String,
  status: WorkspaceStatus,
  /** The status before the suspension. */
  status_before: orNull(WorkspaceStatus),
  currency: Currency,
  tenant_pbx_id: Schema.String,
  /** The PBX gateway that carries the workspace's calls. */
  gateway_id: GatewayId,
  /** Signs voice callbacks. Sealed. */
  voice_secret: Schema.String,
  /** The secret before it, sealed, which signs too until it expires. */
  previous_voice_secret: orNull(ReplacedSecret),
  /** The members that were set; the others have their defaults. */
  calling_policy: StoredPolicy,
  /** How far its admins may raise the limits of the policy. Absent in workspaces from before: as far as they like. */
  policy_ceilings: optional(StoredCeilings),
  number_mode: NumberMode,
  /** Days until recordings are deleted. */
  retention_days: Schema.Int,
  created_at: EpochMs,
  /** The workspace is closed, and its numbers, trunk, storage and API keys have ended. */
  wound_up: Schema.Boolean,
  /** The number of its latest webhook event. */
  sequence: Count,
  /** The workspace whose sandbox this is. */
  sandbox_of: orNull(WorkspaceId),
  /** Null until a test key is used. */
  sandbox: orNull(SandboxLink),
  ...Members.fields
})
export type WorkspaceFacts = typeof WorkspaceFacts.Type

/** Members of the state that have a column of the same name. */
export const workspaceColumns = [
  "name",
  "status",
  "currency",
  "tenant_pbx_id",
  "gateway_id",
  "voice_secret",
  "number_mode",
  "retention_days",
  "created_at"
] as const

type Unchanged = "name" | "status" | "tenant_pbx_id" | "gateway_id" | "voice_secret" | "retention_days" | "number_mode"

/** A workspace as the hot paths read it from the Directory. Its secrets are open. */
export interface Workspace extends Pick<WorkspaceFacts, Unchanged> {
  readonly id: WorkspaceId
  readonly currency: Currency | null
  readonly previous_voice_secret?: ReplacedSecret | null
  readonly calling_policy: CallingPolicy
}

/** A workspace that has a wallet. */
export interface PayingWorkspace extends Workspace {
  readonly currency: Currency
}

export const isPaying = (workspace: Workspace): workspace is PayingWorkspace => workspace.currency !== null

export interface AbsentWorkspace {
  readonly id: WorkspaceId
  readonly facts: null
}

export interface PresentWorkspace {
  readonly id: WorkspaceId
  readonly facts: WorkspaceFacts
}

export type WorkspaceState = AbsentWorkspace | PresentWorkspace

export const isPresent = (workspace: WorkspaceState): workspace is PresentWorkspace => workspace.facts !== null

type Given = "name" | "currency" | "tenant_pbx_id" | "gateway_id" | "voice_secret"

export interface Founding extends Pick<WorkspaceFacts, Given> {
  /** The members that differ from the defaults. */
  readonly calling_policy?: CallingPolicyChange
  readonly policy_ceilings?: PolicyCeilingsChange
  /** Absent for a sandbox: the members of its workspace act in it. */
  readonly owner?: { readonly user_id: UserId; readonly email: string }
  readonly sandbox_of?: WorkspaceId
}

/** An event of a workspace that exists. */
export type ChangeEvent =
  | MemberEvent
  | { readonly _tag: "WalletOpened" }
  | { readonly _tag: "Renamed"; readonly name: string }
  | { readonly _tag: "RetentionSet"; readonly retention_days: number }
  | {
      readonly _tag: "PolicyChanged"
      readonly at: number
      readonly change: CallingPolicyChange
      readonly origin: Origin
    }
  /** `policy`: what changes in the policy so that it keeps to the ceilings. */
  | {
      readonly _tag: "CeilingsChanged"
      readonly at: number
      readonly change: PolicyCeilingsChange
      readonly policy: CallingPolicyChange
      readonly origin: Origin
    }
  | { readonly _tag: "NumberModeChosen"; readonly mode: NumberMode }
  | {
      readonly _tag: "VoiceSecretRotated"
      readonly at: number
      readonly voice_secret: string
      readonly previous_expires_at: number | null
      readonly origin: Origin
    }
  | {
      readonly _tag: "GatewayAssigned"
      readonly at: number
      readonly gateway_id: GatewayId
      readonly origin: Origin
    }
  | { readonly _tag: "Suspended"; readonly at: number; readonly reason: string | null; readonly origin: Origin }
  | { readonly _tag: "Reinstated"; readonly at: number; readonly origin: Origin }
  | { readonly _tag: "Closed"; readonly at: number; readonly origin: Origin }
  | { readonly _tag: "ClosingFinished" }
  | { readonly _tag: "SandboxWanted" }
  | { readonly _tag: "SandboxGoverned"; readonly status: SandboxStatus; readonly name: string }

export type WorkspaceEvent =
  | { readonly _tag: "Founded"; readonly at: number; readonly founding: Founding }
  | ChangeEvent

export const defaultRetention_days = 90

/** The setting of a workspace, also where it is not known. */
export const retentionOf = (workspace: Pick<Workspace, "retention_days"> | undefined) => ({
  retention_days: workspace?.retention_days ?? defaultRetention_days
})

export const noWorkspace = (id: WorkspaceId): WorkspaceState => ({ id, facts: null })

/** The facts of a new workspace. */
export const founded = (
  { calling_policy = {}, owner, sandbox_of, ...facts }: Founding,
  at: number
): WorkspaceFacts => ({
  ...facts,
  status: "onboarding",
  status_before: null,
  calling_policy,
  previous_voice_secret: null,
  number_mode: "unset",
  retention_days: defaultRetention_days,
  created_at: at,
  wound_up: false,
  sequence: 0,
  sandbox_of: sandbox_of ?? null,
  sandbox: null,
  generation: 1,
  members:
    owner === undefined
      ? {}
      : { [owner.user_id]: { email: owner.email, ...ownerRights, joined_at: at, generation: 1 } },
  invitations: {}
})

/** The facts after an event. */
export const changeFacts = (facts: WorkspaceFacts, event: ChangeEvent): WorkspaceFacts => {
  switch (event._tag) {
    case "WalletOpened":
      return facts.status === "suspended" ? { ...facts, status_before: "active" } : { ...facts, status: "active" }
    case "Renamed":
      return { ...facts, name: event.name }
    case "RetentionSet":
      return { ...facts, retention_days: event.retention_days }
    case "PolicyChanged":
      return { ...facts, calling_policy: { ...facts.calling_policy, ...event.change } }
    case "CeilingsChanged":
      return {
        ...facts,
        policy_ceilings: { ...facts.policy_ceilings, ...event.change },
        calling_policy: { ...facts.calling_policy, ...event.policy }
      }
    case "NumberModeChosen":
      return { ...facts, number_mode: event.mode }
    case "VoiceSecretRotated": {
      const { previous_expires_at: expires_at, voice_secret } = event
      const previous_voice_secret = expires_at === null ? null : { secret: facts.voice_secret, expires_at }
      return { ...facts, voice_secret, previous_voice_secret }
    }
    case "GatewayAssigned":
      return { ...facts, gateway_id: event.gateway_id }
    case "Suspended":
      return { ...facts, status: "suspended", status_before: facts.status, sequence: facts.sequence + 1 }
    case "Reinstated":
      return { ...facts, status: facts.status_before ?? "active", status_before: null, sequence: facts.sequence + 1 }
    case "Closed":
      return { ...facts, status: "closed", status_before: null }
    case "ClosingFinished":
      return { ...facts, wound_up: true }
    case "SandboxWanted":
      return { ...facts, sandbox: { status: null } }
    case "SandboxGoverned":
      return { ...facts, sandbox: { status: event.status, name: event.name } }
    default:
      return evolveMembers(facts, event)
  }
}

export const evolveWorkspace = (workspace: WorkspaceState, event: WorkspaceEvent): WorkspaceState => {
  if (event._tag === "Founded") return { id: workspace.id, facts: founded(event.founding, event.at) }
  return isPresent(workspace) ? { id: workspace.id, facts: changeFacts(workspace.facts, event) } : workspace
}
