import { Schema } from "effect"
import { Origin } from "../access/Origin.ts"
import { CallingPolicy, CallingPolicyChange } from "../calls/policy/CallingPolicy.ts"
import { PolicyCeilings, PolicyCeilingsChange } from "../calls/policy/PolicyCeilings.ts"
import { commandsOf, type Message } from "../Command.ts"
import { AccountSuspended } from "../errors/AccountErrors.ts"
import { BadRequest, NotFound } from "../errors/GeneralErrors.ts"
import { WorkspaceLockedToByoc, WorkspaceLockedToPlatformNumbers } from "../errors/TrunkErrors.ts"
import { IdempotentRequest } from "../idempotency/IdempotentRequest.ts"
import { Currency } from "../wallet/Currency.ts"
import { MemberCommands } from "./MemberCommand.ts"
import { VoiceSecretRotation } from "./VoiceSecret.ts"
import { SandboxStatus } from "./Workspace.ts"
import { WorkspaceRecord } from "./WorkspaceRecord.ts"
import { GatewayId, UserId, WorkspaceId } from "../BrandedIds.ts"

export const WorkspaceCommands = {
  ...commandsOf("Workspace", {
    /** Creates the workspace under a new id. A repetition changes nothing. */
    Onboard: {
      payload: {
        name: Schema.String,
        currency: Currency,
        tenant_pbx_id: Schema.String,
        gateway_id: GatewayId,
        /** Sealed with the master key. */
        voice_secret: Schema.String,
        /** What differs from the defaults. An older engine does not send it. */
        calling_policy: Schema.optionalKey(CallingPolicyChange),
        policy_ceilings: Schema.optionalKey(PolicyCeilingsChange),
        /** Absent for a sandbox. */
        owner: Schema.optionalKey(Schema.Struct({ user_id: UserId, email: Schema.String })),
        /** The workspace whose sandbox this is. */
        sandbox_of: Schema.optionalKey(WorkspaceId),
        /** A key of the owner: there is no workspace yet. */
        idempotency: Schema.optionalKey(IdempotentRequest)
      },
      reply: WorkspaceRecord
    },
    /** The wallet was opened in the currency of the workspace. */
    WalletOpened: { errors: [NotFound] },
    Rename: { payload: { name: Schema.String }, reply: WorkspaceRecord, errors: [NotFound] },
    SetRetention: { payload: { retention_days: Schema.Int }, reply: WorkspaceRecord, errors: [NotFound] },
    /** Changes the members of the policy that are present. Replies with the whole policy. */
    ChangePolicy: {
      payload: {
        policy: CallingPolicyChange,
        /** The highest daily spend that an operator allows, by currency. */
        max_daily_spend_minor: Schema.optionalKey(Schema.Record(Schema.String, Schema.Int)),
        origin: Origin
      },
      reply: CallingPolicy,
      errors: [NotFound, BadRequest]
    },
    /** An operator changes how far admins may raise the limits of the policy, which is lowered where it is above. */
    ChangeCeilings: {
      payload: { ceilings: PolicyCeilingsChange, origin: Origin },
      reply: PolicyCeilings,
      errors: [NotFound]
    },
    /**
     * Fixes permanently which numbers the workspace uses, when it claims its first number of the platform or when its
     * trunk becomes active. A repetition succeeds; the other choice is refused.
     */
    ChooseNumberMode: {
      payload: { mode: Schema.Literals(["platform", "byoc"]) },
      errors: [NotFound, AccountSuspended, WorkspaceLockedToByoc, WorkspaceLockedToPlatformNumbers]
    },
    /** `voice_secret` is the new secret, sealed. The previous one stays valid for `previous_valid_seconds`. */
    RotateVoiceSecret: {
      payload: {
        voice_secret: Schema.String,
        previous_valid_seconds: Schema.Int,
        origin: Origin,
        idempotency: Schema.optionalKey(IdempotentRequest)
      },
      reply: VoiceSecretRotation,
      errors: [NotFound]
    },
    /** Calls that begin from now on go over this gateway. Calls in progress stay where they are. */
    AssignGateway: {
      payload: { gateway_id: GatewayId, origin: Origin },
      reply: WorkspaceRecord,
      errors: [NotFound, AccountSuspended]
    },
    Suspend: {
      payload: { reason: Schema.NullOr(Schema.String), origin: Origin },
      reply: WorkspaceRecord,
      errors: [NotFound, AccountSuspended]
    },
    Reinstate: { payload: { origin: Origin }, reply: WorkspaceRecord, errors: [NotFound, AccountSuspended] },
    Close: { payload: { origin: Origin }, reply: WorkspaceRecord, errors: [NotFound, AccountSuspended] },
    /** The numbers, the trunk, the storage and the keys of the closed workspace have ended. */
    ClosingFinished: { errors: [NotFound] },
    /** The workspace needs its sandbox. Its plan makes it, and keeps its status and its name those of the workspace. */
    WantSandbox: { reply: WorkspaceRecord, errors: [NotFound, AccountSuspended] },
    /** The sandbox has this status and this name now. */
    SandboxGoverned: { payload: { status: SandboxStatus, name: Schema.String }, errors: [NotFound] }
  }),
  ...MemberCommands
}
export type WorkspaceCommands = typeof WorkspaceCommands
export type WorkspaceCommand = Message<WorkspaceCommands>
