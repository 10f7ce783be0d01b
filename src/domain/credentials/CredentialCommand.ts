// Everything that can be asked of a workspace's SIP credentials, as it crosses between processes, and what it answers.
import { Schema } from "effect"
import { Origin } from "../access/Origin.ts"
import { IdempotentRequest } from "../idempotency/IdempotentRequest.ts"
import { WebrtcSession } from "../webrtc/WebrtcSession.ts"
import { tagged } from "../Tagged.ts"
import { CredentialRecord, Seen } from "./CredentialRecord.ts"

/** What is fixed when a credential is made. `number` is in E.164, `password` is sealed. */
export const ProposedCredential = Schema.Struct({
  id: Schema.String,
  number_id: Schema.String,
  number: Schema.String,
  extension: Schema.String,
  username: Schema.String,
  label: Schema.NullOr(Schema.String),
  display_name: Schema.NullOr(Schema.String),
  max_contacts: Schema.Int,
  password: Schema.String,
  /** Since when the workspace has the number. Epoch milliseconds; absent from what was made before it was asked for. */
  number_since: Schema.optionalKey(Schema.Int)
})
export type ProposedCredential = typeof ProposedCredential.Type

const id = Schema.String
const of = { number_id: Schema.String, id }
const idempotency = Schema.optionalKey(IdempotentRequest)
const asked = { origin: Origin, seen: Seen, idempotency }

export const CredentialsCommand = Schema.Union([
  /** Takes the extension. Whoever asks tells the PBX next, and then confirms or abandons it: soon, or it is abandoned. */
  tagged("Propose", { credential: ProposedCredential }),
  tagged("ProposeRotation", { ...of, password: Schema.String, grace_seconds: Schema.Int }),
  /** The PBX has taken on what was proposed with this revision. */
  tagged("Confirm", { id, revision: Schema.Int, ...asked }),
  /** It has not. `reached`: it may have been asked. */
  tagged("Abandon", { id, revision: Schema.Int, reached: Schema.Boolean }),
  tagged("Revoke", { ...of, ...asked }),
  /** The number has left the workspace: the credentials that it had until then end. Later ones are of another time. */
  tagged("RevokeNumber", { number_id: Schema.String, left_at: Schema.Int, origin: Origin }),
  /** A token was made for one of them. It leaves nothing but its answer. */
  tagged("KeepToken", { session: WebrtcSession, token: Schema.String, idempotency: IdempotentRequest }),
  /** The PBX has taken on the revision. */
  tagged("Synced", { id, revision: Schema.Int }),
  /** Told by the runtime. */
  tagged("GraceOver", { id, revision: Schema.Int }),
  /** The gateway of the workspace has connected and may have forgotten everything. */
  tagged("GatewayReturned", { epoch: Schema.Int }),
  tagged("Restored", { epoch: Schema.Int })
])
export type CredentialsCommand = typeof CredentialsCommand.Type

export const CredentialsReply = Schema.Union([
  tagged("Proposed", { revision: Schema.Int }),
  tagged("Shown", {
    record: CredentialRecord,
    /** The password in force, sealed. */
    password: Schema.String
  }),
  /** The token is sealed. */
  tagged("TokenKept", { session: WebrtcSession, token: Schema.String }),
  tagged("Noted", {})
])
export type CredentialsReply = typeof CredentialsReply.Type
