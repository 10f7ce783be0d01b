// Everything that can be asked of a workspace, and what it answers.
import { Schema } from "effect"
import { Origin } from "../access/Origin.ts"
import { CallingPolicy, CallingPolicyChange } from "../calls/CallingPolicy.ts"
import { IdempotentRequest } from "../idempotency/IdempotentRequest.ts"
import { tagged } from "../Tagged.ts"
import { Currency } from "../wallet/Currency.ts"
import { memberCommands, memberReplies } from "./MemberCommand.ts"
import { VoiceSecretRotation } from "./VoiceSecret.ts"
import { WorkspaceRecord } from "./WorkspaceRecord.ts"

export const WorkspaceCommand = Schema.Union([
  /** Makes the workspace, whose id is new. The same again changes nothing. */
  tagged("Onboard", {
    name: Schema.String,
    currency: Currency,
    tenant_pbx_id: Schema.String,
    gateway_id: Schema.String,
    /** Sealed. */
    voice_secret: Schema.String,
    owner: Schema.Struct({ user_id: Schema.String, email: Schema.String }),
    /** Of the owner: there is no workspace yet whose key it could be. */
    idempotency: Schema.optionalKey(IdempotentRequest)
  }),
  /** Its wallet is open, in its currency. */
  tagged("WalletOpened", {}),
  tagged("Rename", { name: Schema.String }),
  tagged("SetRetention", { retention_days: Schema.Int }),
  /** Members of the policy that are absent stay as they are. */
  tagged("ChangePolicy", { policy: CallingPolicyChange, origin: Origin }),
  /**
   * Its first number of the platform is being claimed, or its trunk becomes active. The same again is granted; the other
   * one is refused for ever, with `workspace.locked_to_byoc` or `workspace.locked_to_platform_numbers`.
   */
  tagged("ChooseNumberMode", { mode: Schema.Literals(["platform", "byoc"]) }),
  /** `voice_secret` is the new one, sealed. */
  tagged("RotateVoiceSecret", {
    voice_secret: Schema.String,
    previous_valid_seconds: Schema.Int,
    origin: Origin,
    idempotency: Schema.optionalKey(IdempotentRequest)
  }),
  tagged("Suspend", { reason: Schema.NullOr(Schema.String), origin: Origin }),
  tagged("Reinstate", { origin: Origin }),
  tagged("Close", { origin: Origin }),
  /** It is closed, and what it had has ended. */
  tagged("WoundUp", {}),
  ...memberCommands
])
export type WorkspaceCommand = typeof WorkspaceCommand.Type

export const WorkspaceReply = Schema.Union([
  tagged("Shown", { record: WorkspaceRecord }),
  tagged("Policy", { policy: CallingPolicy }),
  tagged("Granted", {}),
  tagged("VoiceSecretRotated", { rotation: VoiceSecretRotation }),
  ...memberReplies
])
export type WorkspaceReply = typeof WorkspaceReply.Type
