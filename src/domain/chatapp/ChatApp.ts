// A number in the chat app: the call settings that were last written, and its trunk.
import { Schema, Struct } from "effect"
import type { Origin } from "../access/Origin.ts"
import type { CallSettings } from "./CallSettings.ts"
import type { PermissionReply } from "./PermissionReply.ts"
import { NumberId, PbxTrunkId, toNumberId, toPbxTrunkId, WorkspaceId } from "../BrandedIds.ts"
import { Count, EpochMs, orNull } from "../kit/Fields.ts"
import { instantOrNull, isoInstant } from "../kit/Instants.ts"
import { StoredSettings } from "./StoredSettings.ts"

/** The provider's error code for a number that is not eligible for calling yet. */
export const notEligibleCode = 138_015

/**
 * The progress of the trunk. `provider`: the provider is asked for it. `setting_up`: it is being set up on the PBX.
 * `probing`: the PBX checks whether it answers. `settled`: it is active or has failed.
 */
const Stage = Schema.Literals(["provider", "setting_up", "probing", "settled"])

const Trunk = Schema.Struct({
  status: Schema.Literals(["pending", "active", "failed"]),
  status_reason: orNull(Schema.String),
  provider_code: orNull(Schema.Int),
  /** Requests to the provider, the running one included. */
  attempts: Count,
  next_retry_at: orNull(EpochMs),
  sip_host: orNull(Schema.String),
  updated_at: EpochMs,
  stage: Stage,
  /** Which of the number's trunks on the PBX it is, from 1. 0: it is not on the PBX. */
  generation: Count,
  /** The probe of this attempt, from 1, and when it began. */
  probe: Count,
  probed_at: EpochMs
})
export type Trunk = typeof Trunk.Type

/** A trunk that the PBX must take down, and the workspace that had it. */
const Removal = Schema.Struct({ workspace_id: WorkspaceId, trunk_id: PbxTrunkId })
export type Removal = typeof Removal.Type

/** What is stored. Without a workspace there are no settings and no trunk. */
export const StoredChatApp = Schema.Struct({
  number_id: NumberId,
  workspace_id: orNull(WorkspaceId),
  /** When the workspace began to use the number in the chat app. */
  since: EpochMs,
  number: Schema.String,
  stored: orNull(StoredSettings),
  trunk: orNull(Trunk),
  /** Consecutive failures because the number is not eligible yet. */
  ineligible: Count,
  /** Consecutive failures because the trunk could not be set up on the PBX, or did not answer. */
  unanswered: Count,
  /** The number of the latest trunk that was put on the PBX. It only rises. */
  generation: Count,
  removing: Schema.Array(Removal),
  /** The gateway connection that last came back, and the one that was last sent the trunk again. */
  returned_epoch: Count,
  restored_epoch: Count,
  /** The number of webhook events so far. */
  sequence: Count,
  /** The settings of a former workspace are still to be reset at the provider. */
  turning_off: Schema.Boolean,
  /** Ids of the latest permission replies. The provider may deliver a reply several times. */
  heard: Schema.Array(Schema.String)
})

type ChatAppBase = Omit<typeof StoredChatApp.Type, "workspace_id" | "stored" | "trunk">

/** No workspace uses the number in the chat app. */
export interface UnusedChatApp extends ChatAppBase {
  readonly workspace_id: null
  readonly stored: null
  readonly trunk: null
}

/** A workspace has written settings for the number, or provisioned its trunk. */
export interface UsedChatApp extends ChatAppBase {
  readonly workspace_id: WorkspaceId
  readonly stored: CallSettings | null
  readonly trunk: Trunk | null
}

export type ChatApp = UnusedChatApp | UsedChatApp

export type ChatAppEvent =
  | { readonly _tag: "Left"; readonly at: number }
  | { readonly _tag: "TurnedOff"; readonly at: number }
  | { readonly _tag: "PermissionChanged"; readonly at: number; readonly reply: PermissionReply }
  | { readonly _tag: "Provisioning"; readonly at: number; readonly workspace_id: WorkspaceId; readonly number: string }
  /** `origin` is null for an automatic retry. */
  | { readonly _tag: "Retried"; readonly at: number; readonly origin: Origin | null }
  /** The provider sends the number's calls to `sip_host`. */
  | { readonly _tag: "TrunkAccepted"; readonly at: number; readonly sip_host: string }
  | { readonly _tag: "TrunkSetUp"; readonly at: number }
  | { readonly _tag: "ProbeRepeated"; readonly at: number }
  | { readonly _tag: "TrunkActive"; readonly at: number }
  | {
      readonly _tag: "TrunkFailed"
      readonly at: number
      readonly reason: string
      readonly provider_code: number | null
      readonly next_retry_at: number | null
      /** Whether the PBX or the probe failed it, and not the provider. */
      readonly unanswered: boolean
    }
  | { readonly _tag: "Removed"; readonly trunk_id: PbxTrunkId }
  | { readonly _tag: "ResyncBegan"; readonly epoch: number }
  | { readonly _tag: "ResyncFinished"; readonly epoch: number }
  | {
      readonly _tag: "SettingsWritten"
      readonly at: number
      readonly workspace_id: WorkspaceId
      readonly number: string
      readonly settings: CallSettings
      readonly origin: Origin
    }

export const TrunkRecord = Schema.Struct({
  status: Trunk.fields.status.annotate({ description: "The state of the trunk." }),
  status_reason: Schema.NullOr(Schema.String),
  provider_code: Schema.NullOr(Schema.Int).annotate({ description: "The provider's code of the failure." }),
  attempts: Schema.Int,
  next_retry_at: Schema.NullOr(Schema.String).annotate({ description: "When it is retried automatically." }),
  sip_host: Schema.NullOr(Schema.String),
  updated_at: Schema.String
}).annotate({ identifier: "ChatAppTrunk" })
export type TrunkRecord = typeof TrunkRecord.Type

export const trunkRecord = ({ next_retry_at, updated_at, ...trunk }: Trunk): TrunkRecord => ({
  ...Struct.pick(trunk, ["status", "status_reason", "provider_code", "attempts", "sip_host"]),
  next_retry_at: instantOrNull(next_retry_at),
  updated_at: isoInstant(updated_at)
})

export const unusedChatApp = (number_id: NumberId): UnusedChatApp => ({
  number_id,
  workspace_id: null,
  since: 0,
  number: "",
  stored: null,
  trunk: null,
  ineligible: 0,
  unanswered: 0,
  generation: 0,
  removing: [],
  returned_epoch: 0,
  restored_epoch: 0,
  sequence: 0,
  turning_off: false,
  heard: []
})

/** The number without a user. What was set up for its last one is still to be taken down. */
export const unusedAgain = (state: ChatApp): UnusedChatApp => ({
  ...unusedChatApp(state.number_id),
  ...Struct.pick(state, ["sequence", "turning_off", "generation", "returned_epoch", "restored_epoch"]),
  removing: leftovers(state)
})

/** The number's trunk on the PBX. */
export const chatAppTrunkId = (number_id: NumberId, generation: number): PbxTrunkId =>
  toPbxTrunkId(`chatapp-${number_id}.${generation}`)

/** The number of a trunk on the PBX; undefined: it is no trunk of the chat app. */
export const numberOfTrunk = (trunk_id: PbxTrunkId): NumberId | undefined => {
  const number_id = /^chatapp-([A-Za-z0-9-]{1,64})\.\d+$/.exec(trunk_id)?.[1]
  return number_id === undefined ? undefined : toNumberId(number_id)
}

/** What the PBX must take down once the trunk is gone. */
export const leftovers = ({ number_id, removing, trunk, workspace_id }: ChatApp): ReadonlyArray<Removal> =>
  workspace_id === null || trunk === null || trunk.generation === 0
    ? removing
    : [...removing, { workspace_id, trunk_id: chatAppTrunkId(number_id, trunk.generation) }]

/** The state that a workspace may see. To other workspaces than its user, the number is unused. */
export const seenBy = (state: ChatApp, workspace_id: WorkspaceId): ChatApp =>
  state.workspace_id === workspace_id ? state : unusedAgain(state)
