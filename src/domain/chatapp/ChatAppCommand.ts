import { Schema } from "effect"
import { Origin } from "../access/Origin.ts"
import { IdempotentRequest } from "../idempotency/IdempotentRequest.ts"
import { tagged } from "../Tagged.ts"
import { CallSettings } from "./CallSettings.ts"
import { TrunkRecord } from "./ChatApp.ts"
import { PermissionReply } from "./PermissionReply.ts"

const idempotency = Schema.optionalKey(IdempotentRequest)
const of = { workspace_id: Schema.String, number: Schema.String }

export const ChatAppCommand = Schema.Union([
  tagged("Show", { workspace_id: Schema.String }),
  tagged("Provision", { ...of, idempotency }),
  tagged("Retry", { workspace_id: Schema.String, origin: Origin, idempotency }),
  /** The time has come to try again by itself. */
  tagged("RetryDue", {}),
  tagged("Provisioned", { attempt: Schema.Int, sip_host: Schema.String }),
  tagged("ProvisioningFailed", {
    attempt: Schema.Int,
    reason: Schema.String,
    provider_code: Schema.NullOr(Schema.Int)
  }),
  /** The provider took them. */
  tagged("SettingsWritten", { ...of, settings: CallSettings, origin: Origin }),
  /** Somebody lets the number call them, or does not any more. */
  tagged("PermissionReplied", { reply: PermissionReply }),
  /** The provider has no settings of a former workspace's any more, or would not be told. */
  tagged("TurnedOff", {}),
  /** The number has left the workspace: what it had of it until then ends. */
  tagged("Leave", { workspace_id: Schema.String, left_at: Schema.Int })
])
export type ChatAppCommand = typeof ChatAppCommand.Type

export const ChatAppReply = Schema.Union([
  /** `trunk` is null where there is none. */
  tagged("Shown", { stored: Schema.NullOr(CallSettings), trunk: Schema.NullOr(TrunkRecord) }),
  tagged("Noted", {})
])
export type ChatAppReply = typeof ChatAppReply.Type
