// A number in the chat app: the call settings that were last written, and its trunk.
import { Schema } from "effect"
import type { Origin } from "../access/Origin.ts"
import type { CallSettings } from "./CallSettings.ts"
import type { PermissionReply } from "./PermissionReply.ts"
import type { NumberId, WorkspaceId } from "../BrandedIds.ts"

/** The provider's error code for a number that is not eligible for calling yet. */
export const notEligibleCode = 138_015

/** Instants are epoch milliseconds. */
export interface Trunk {
  readonly status: "pending" | "active" | "failed"
  readonly status_reason: string | null
  readonly provider_code: number | null
  /** Requests to the provider, the running one included. */
  readonly attempts: number
  readonly next_retry_at: number | null
  readonly sip_host: string | null
  readonly updated_at: number
}

interface ChatAppBase {
  readonly number_id: NumberId
  /** When the workspace began to use the number in the chat app, epoch milliseconds. */
  readonly since: number
  readonly number: string
  /** Consecutive failures because the number is not eligible yet. */
  readonly ineligible: number
  /** The number of webhook events so far. */
  readonly sequence: number
  /** The settings of a former workspace are still to be reset at the provider. */
  readonly turning_off: boolean
  /** Ids of the latest permission replies. The provider may deliver a reply several times. */
  readonly heard: ReadonlyArray<string>
}

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
  status: Schema.Literals(["pending", "active", "failed"]),
  status_reason: Schema.NullOr(Schema.String),
  provider_code: Schema.NullOr(Schema.Int).annotate({ description: "The provider's code of the failure." }),
  attempts: Schema.Int,
  next_retry_at: Schema.NullOr(Schema.String).annotate({ description: "When it is retried automatically." }),
  sip_host: Schema.NullOr(Schema.String),
  updated_at: Schema.String
}).annotate({ identifier: "ChatAppTrunk" })
export type TrunkRecord = typeof TrunkRecord.Type

const instant = (at: number): string => new Date(at).toISOString()

export const trunkRecord = ({ next_retry_at, updated_at, ...trunk }: Trunk): TrunkRecord => ({
  ...trunk,
  next_retry_at: next_retry_at === null ? null : instant(next_retry_at),
  updated_at: instant(updated_at)
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
