// The commands of a workspace's SIP credentials.
import { Schema } from "effect"
import { Origin } from "../access/Origin.ts"
import { commandsOf, type Message, type Tag } from "../Command.ts"
import {
  ExtensionInvalid,
  ExtensionTaken,
  SipCredentialAlreadyRevoked,
  SipCredentialLimitReached,
  SipCredentialNotFound,
  SipProvisioningFailed
} from "../errors/SipCredentialErrors.ts"
import { IdempotentRequest } from "../idempotency/IdempotentRequest.ts"
import { CredentialRecord, DeviceStatus, MediaEncryption } from "./CredentialRecord.ts"
import { CredentialId, NumberId } from "../BrandedIds.ts"

/** The members that never change after creation. `number` is in E.164, `password` is sealed. */
export const ProposedCredential = Schema.Struct({
  id: CredentialId,
  number_id: NumberId,
  number: Schema.String,
  extension: Schema.String,
  username: Schema.String,
  label: Schema.NullOr(Schema.String),
  display_name: Schema.NullOr(Schema.String),
  max_contacts: Schema.Int,
  /** Absent means `optional`. */
  media_encryption: Schema.optionalKey(MediaEncryption),
  password: Schema.String,
  /** Since when the workspace has had the number. Epoch milliseconds; absent from credentials of older versions. */
  number_since: Schema.optionalKey(Schema.Int)
})
export type ProposedCredential = typeof ProposedCredential.Type

const id = CredentialId
const revision = Schema.Int
const ofNumber = { number_id: NumberId, id }
const request = { origin: Origin, seen: DeviceStatus, idempotency: Schema.optionalKey(IdempotentRequest) }

/** A proposal must be confirmed or abandoned by its revision, or it is abandoned after a while. */
const Proposal = Schema.Struct({ revision })

const CredentialWithPassword = Schema.Struct({
  record: CredentialRecord,
  /** The current password, sealed. */
  password: Schema.String
})

export const CredentialsCommands = commandsOf("SipCredentials", {
  /** Reserves the extension. The caller must then provision the PBX, and confirm or abandon the proposal. */
  Propose: {
    payload: { credential: ProposedCredential },
    reply: Proposal,
    errors: [ExtensionInvalid, ExtensionTaken, SipCredentialLimitReached]
  },
  ProposeRotation: {
    payload: { ...ofNumber, password: Schema.String, grace_seconds: Schema.Int },
    reply: Proposal,
    errors: [SipCredentialNotFound, SipCredentialAlreadyRevoked]
  },
  /** The PBX has accepted the proposal with this revision. */
  Confirm: {
    payload: { id, revision, ...request },
    reply: CredentialWithPassword,
    errors: [SipProvisioningFailed]
  },
  /** The PBX has not accepted the proposal. `reached`: the PBX may have received it. */
  Abandon: { payload: { id, revision, reached: Schema.Boolean } },
  Revoke: {
    payload: { ...ofNumber, ...request },
    reply: CredentialWithPassword,
    errors: [SipCredentialNotFound, SipCredentialAlreadyRevoked]
  },
  /**
   * The number has left the workspace: revokes the credentials that it had until `left_at` (epoch milliseconds). Later
   * credentials belong to a later ownership of the number.
   */
  RevokeNumber: { payload: { number_id: NumberId, left_at: Schema.Int, origin: Origin } },
  /** Somebody guesses the password of the credential, or forges its tokens. Instants are epoch milliseconds. */
  ReportAttack: {
    payload: {
      id,
      attempts: Schema.Int,
      since: Schema.Int,
      addresses: Schema.Array(Schema.String),
      at: Schema.Int
    }
  },
  /** The PBX has accepted the revision. */
  ConfirmSync: { payload: { id, revision } },
  /** Deadline: the previous password is no longer accepted. */
  EndGrace: { payload: { id, revision } },
  /** The workspace's gateway has connected, for the `epoch`th time, and may have forgotten everything. */
  BeginResync: { payload: { epoch: Schema.Int } },
  /** The gateway has been sent everything again. */
  FinishResync: { payload: { epoch: Schema.Int } }
})
export type CredentialsCommands = typeof CredentialsCommands
export type CredentialsMessage<T extends Tag<CredentialsCommands> = Tag<CredentialsCommands>> = Message<
  CredentialsCommands,
  T
>
