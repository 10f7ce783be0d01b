// A number in the chat app: the call settings that were last written, and its trunk.
import { Schema } from "effect"
import type { Origin } from "../access/Origin.ts"
import type { CallSettings } from "./CallSettings.ts"
import type { PermissionReply } from "./PermissionReply.ts"
import { NumberId, WorkspaceId } from "../BrandedIds.ts"
import { Count, EpochMs, orNull } from "../kit/Fields.ts"
import { instantOrNull, isoInstant } from "../kit/Instants.ts"
import { StoredSettings } from "./StoredSettings.ts"

/** The provider's error code for a number that is not eligible for calling yet. */
export const notEligibleCode = 138_015

const Trunk = Schema.Struct({
  status: Schema.Literals(["pending", "active", "failed"]),
  status_reason: orNull(Schema.String),
  provider_code: orNull(Schema.Int),
  /** Requests to the provider, the running one included. */
  attempts: Count,
  next_retry_at: orNull(EpochMs),
  sip_host: orNull(Schema.String),
  updated_at: EpochMs
})
export type Trunk = typeof Trunk.Type

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
  | { readonly _tag: "TrunkActive"; readonly at: number; readonly sip_host: string }
  | {
      readonly _tag: "TrunkFailed"
      readonly at: number
      readonly reason: string
      readonly provider_code: number | null
      readonly next_retry_at: number | null
    }
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
  ...trunk,
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
  sequence: 0,
  turning_off: false,
  heard: []
})

/** The state that a workspace may see. To other workspaces than its user, the number is unused. */
export const seenBy = (state: ChatApp, workspace_id: WorkspaceId): ChatApp =>
  state.workspace_id === workspace_id
    ? state
    : { ...unusedChatApp(state.number_id), sequence: state.sequence, turning_off: state.turning_off }
