// The commands of a number in the chat app, with their replies and errors.
import { Schema } from "effect"
import { Origin } from "../access/Origin.ts"
import { commandsOf, type Message, type Tag } from "../Command.ts"
import { ChatAppNotProvisioned, ChatAppTrunkNotRetryable } from "../errors/ChatAppErrors.ts"
import { IdempotentRequest } from "../idempotency/IdempotentRequest.ts"
import { CallSettings } from "./CallSettings.ts"
import { TrunkRecord } from "./ChatApp.ts"
import { PermissionReply } from "./PermissionReply.ts"
import { WorkspaceId } from "../BrandedIds.ts"

const idempotency = Schema.optionalKey(IdempotentRequest)
const user = { workspace_id: WorkspaceId, number: Schema.String }

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
  Provisioned: { payload: { attempt: Schema.Int, sip_host: Schema.String } },
  ProvisioningFailed: {
    payload: { attempt: Schema.Int, reason: Schema.String, provider_code: Schema.NullOr(Schema.Int) }
  },
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
