// The commands of a number in the chat app, with their replies and errors.
import { Schema } from "effect"
import { Origin } from "../access/Origin.ts"
import { commandsOf, type Message, type Tag } from "../Command.ts"
import { ChatAppNotProvisioned, ChatAppTrunkNotRetryable } from "../errors/ChatAppErrors.ts"
import { IdempotentRequest } from "../idempotency/IdempotentRequest.ts"
import { CallSettings } from "./CallSettings.ts"
import { TrunkRecord } from "./ChatApp.ts"
import { PermissionReply } from "./PermissionReply.ts"
import { PbxTrunkId, WorkspaceId } from "../BrandedIds.ts"

const idempotency = Schema.optionalKey(IdempotentRequest)
const user = { workspace_id: WorkspaceId, number: Schema.String }

/** What calls of the number need to know. */
export const ChatAppRoute = Schema.Struct({
  /** Null unless the trunk is active. */
  trunk_id: Schema.NullOr(PbxTrunkId),
  settings: Schema.NullOr(CallSettings),
  /** When the workspace began to use the number in the chat app. */
  since: Schema.Int
})
export type ChatAppRoute = typeof ChatAppRoute.Type

export const ChatAppCommands = commandsOf("ChatApp", {
  /** Replies with the settings and the trunk; null: the workspace has none. */
  Show: {
    payload: { workspace_id: WorkspaceId },
    reply: Schema.Struct({ stored: Schema.NullOr(CallSettings), trunk: Schema.NullOr(TrunkRecord) })
  },
  /** Begins to provision the trunk. A trunk that exists, even a failed one, stays as it is. */
  Provision: { payload: { ...user, idempotency }, reply: TrunkRecord },
  /** Provisions a failed trunk again. */
  Retry: {
    payload: { workspace_id: WorkspaceId, origin: Origin, idempotency },
    reply: TrunkRecord,
    errors: [ChatAppNotProvisioned, ChatAppTrunkNotRetryable]
  },
  /** The time of an automatic retry has come. */
  RetryDue: {},
  /** The trunk over which calls go, and the settings that they obey; null without a workspace or a trunk. */
  FindRoute: { payload: { workspace_id: WorkspaceId }, reply: ChatAppRoute },
  /** The provider sends the number's calls to `sip_host`. */
  Provisioned: { payload: { attempt: Schema.Int, sip_host: Schema.String } },
  ProvisioningFailed: {
    payload: { attempt: Schema.Int, reason: Schema.String, provider_code: Schema.NullOr(Schema.Int) }
  },
  /** The PBX has set up the trunk. */
  ConfirmSetUp: { payload: { generation: Schema.Int } },
  /** The PBX cannot carry the trunk, or did not answer in time. */
  FailSetUp: { payload: { generation: Schema.Int, reason: Schema.String } },
  /** The PBX of the workspace reports whether the trunk answers. `reason`: why it does not. */
  Report: {
    payload: {
      workspace_id: WorkspaceId,
      trunk_id: PbxTrunkId,
      reachable: Schema.Boolean,
      reason: Schema.optionalKey(Schema.String)
    }
  },
  /** The PBX has not reported the probe in time. */
  EndProbe: { payload: { generation: Schema.Int, probe: Schema.Int } },
  ConfirmRemoval: { payload: { trunk_id: PbxTrunkId } },
  /** The gateway has connected again. It may have lost the trunk. */
  BeginResync: { payload: { epoch: Schema.Int } },
  FinishResync: { payload: { epoch: Schema.Int } },
  /** Whose permission the reply concerns: the workspace that used the number then. Null: nobody's. */
  FindPermitted: { payload: { reply: PermissionReply }, reply: Schema.NullOr(WorkspaceId) },
  /** The provider accepted the settings. */
  SettingsWritten: { payload: { ...user, settings: CallSettings, origin: Origin } },
  /** A user granted or denied the number the permission to call them. */
  PermissionReplied: { payload: { reply: PermissionReply } },
  /** The settings of a former workspace were reset at the provider, or the provider refused to. */
  TurnedOff: {},
  /** The number left the workspace at `left_at`. Ends what the workspace had of it until then. */
  Leave: { payload: { workspace_id: WorkspaceId, left_at: Schema.Int } }
})
export type ChatAppCommands = typeof ChatAppCommands
export type ChatAppMessage<T extends Tag<ChatAppCommands> = Tag<ChatAppCommands>> = Message<ChatAppCommands, T>
