// A workspace: who its members are, what it is allowed, and which of the two ways to have numbers it has chosen.
import type { CallingPolicy, CallingPolicyChange } from "../calls/CallingPolicy.ts"
import type { Origin } from "../access/Origin.ts"
import type { Currency } from "../wallet/Currency.ts"
import type { ReplacedSecret } from "./VoiceSecret.ts"
import { evolveMembers, type Membered, type MemberEvent } from "./Members.ts"

/** Numbers of the platform, or one's own over one's own trunk. What was chosen once is never chosen anew. */
export type NumberMode = "unset" | "platform" | "byoc"

/** `onboarding` until its wallet is open; what is `closed` stays so. */
export type WorkspaceStatus = "onboarding" | "active" | "suspended" | "closed"

/** Nothing in it may be changed, and no call begins; those under way end by themselves. */
export const isShut = (status: WorkspaceStatus): boolean => status === "suspended" || status === "closed"

/** A workspace as the hot paths read it from the Directory. */
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

export interface Kept extends Membered {
  readonly name: string
  readonly status: WorkspaceStatus
  /** What it was before it was suspended. */
  readonly status_before: WorkspaceStatus | null
  readonly currency: Currency
  readonly tenant_pbx_id: string
  readonly gateway_id: string
  /** Sealed. */
  readonly voice_secret: string
  /** The one before it, sealed: it signs too until it expires. */
  readonly previous_voice_secret: ReplacedSecret | null
  /** What is said of it; the rest is as by default. */
  readonly calling_policy: CallingPolicyChange
  readonly number_mode: NumberMode
  /** Days for which recordings are kept. */
  readonly retention_days: number
  readonly created_at: number
  /** Closed, and nothing of it is left that costs anything or lets anybody in. */
  readonly wound_up: boolean
  /** Of its latest event. */
  readonly sequence: number
}

export interface WorkspaceState {
  readonly id: string
  /** Null until it is founded. */
  readonly kept: Kept | null
}

export interface Founding {
  readonly name: string
  readonly currency: Currency
  readonly tenant_pbx_id: string
  readonly gateway_id: string
  readonly voice_secret: string
  readonly owner: { readonly user_id: string; readonly email: string }
}

export type WorkspaceEvent =
  | MemberEvent
  | { readonly _tag: "Founded"; readonly at: number; readonly founding: Founding }
  | { readonly _tag: "WalletOpened" }
  | { readonly _tag: "Renamed"; readonly name: string }
  | { readonly _tag: "RetentionSet"; readonly retention_days: number }
  | {
      readonly _tag: "PolicyChanged"
      readonly at: number
      readonly change: CallingPolicyChange
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
  | { readonly _tag: "Suspended"; readonly at: number; readonly reason: string | null; readonly origin: Origin }
  | { readonly _tag: "Reinstated"; readonly at: number; readonly origin: Origin }
  | { readonly _tag: "Closed"; readonly at: number; readonly origin: Origin }
  | { readonly _tag: "WoundUp" }

export const default_retention_days = 90

export const noWorkspace = (id: string): WorkspaceState => ({ id, kept: null })

const founded = ({ owner, ...facts }: Founding, at: number): Kept => ({
  ...facts,
  status: "onboarding",
  status_before: null,
  calling_policy: {},
  previous_voice_secret: null,
  number_mode: "unset",
  retention_days: default_retention_days,
  created_at: at,
  wound_up: false,
  sequence: 0,
  generation: 1,
  members: { [owner.user_id]: { email: owner.email, role: "owner", read_only: false, joined_at: at, generation: 1 } },
  invitations: {}
})

const change = (kept: Kept, event: Exclude<WorkspaceEvent, { _tag: "Founded" }>): Kept => {
  switch (event._tag) {
    case "WalletOpened":
      return kept.status === "suspended" ? { ...kept, status_before: "active" } : { ...kept, status: "active" }
    case "Renamed":
      return { ...kept, name: event.name }
    case "RetentionSet":
      return { ...kept, retention_days: event.retention_days }
    case "PolicyChanged":
      return { ...kept, calling_policy: { ...kept.calling_policy, ...event.change } }
    case "NumberModeChosen":
      return { ...kept, number_mode: event.mode }
    case "VoiceSecretRotated": {
      const { previous_expires_at: expires_at, voice_secret } = event
      const previous_voice_secret = expires_at === null ? null : { secret: kept.voice_secret, expires_at }
      return { ...kept, voice_secret, previous_voice_secret }
    }
    case "Suspended":
      return { ...kept, status: "suspended", status_before: kept.status, sequence: kept.sequence + 1 }
    case "Reinstated":
      return { ...kept, status: kept.status_before ?? "active", status_before: null, sequence: kept.sequence + 1 }
    case "Closed":
      return { ...kept, status: "closed", status_before: null }
    case "WoundUp":
      return { ...kept, wound_up: true }
    default:
      return evolveMembers(kept, event)
  }
}

export const evolveWorkspace = ({ id, kept }: WorkspaceState, event: WorkspaceEvent): WorkspaceState => {
  if (event._tag === "Founded") return { id, kept: founded(event.founding, event.at) }
  return { id, kept: kept && change(kept, event) }
}
