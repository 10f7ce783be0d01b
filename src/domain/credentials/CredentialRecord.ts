// A SIP credential as the API shows it, and the requests that create and rotate one (docs/sip-credentials.md).
import { Schema } from "effect"
import { CredentialId, NumberId, type WorkspaceId } from "../BrandedIds.ts"

const Instant = Schema.String

/** `optional`: offered, not demanded. `sdes`, `dtls`: demanded, with keys in SDP (RFC 4568) or by DTLS (RFC 5764). */
export const MediaEncryption = Schema.Literals(["optional", "sdes", "dtls"])
const nullable = Schema.NullOr

export const Registration = Schema.Struct({
  contact: Schema.String.annotate({ description: "The contact URI that the device registered." }),
  user_agent: nullable(Schema.String),
  transport: nullable(Schema.String),
  expires_at: Instant
})
export type Registration = typeof Registration.Type

/** The members of a credential's record that are not part of its own state: its devices and their registrar. */
export const DeviceStatus = Schema.Struct({
  domain: Schema.String.annotate({ description: "Where devices register." }),
  registrations: Schema.Array(Registration).annotate({ description: "Currently registered devices." }),
  last_registered_at: nullable(Instant)
})
export type DeviceStatus = typeof DeviceStatus.Type

export const CredentialRecord = Schema.Struct({
  id: CredentialId.annotate({ description: "The id of the credential." }),
  number_id: NumberId,
  extension: Schema.String.annotate({
    description: "Four digits, unique among the active credentials of the workspace."
  }),
  username: Schema.String.annotate({ description: "For the digest authentication of the device." }),
  ...DeviceStatus.fields,
  label: nullable(Schema.String),
  display_name: nullable(Schema.String),
  status: Schema.Literals(["active", "revoked"]),
  max_contacts: Schema.Int.annotate({ description: "Devices that may be registered at once." }),
  media_encryption: MediaEncryption.annotate({
    description: "Whether phones must encrypt audio, and how. `optional`: they may. Browsers always do."
  }),
  created_at: Instant,
  rotated_at: nullable(Instant),
  revoked_at: nullable(Instant)
}).annotate({ identifier: "SipCredential" })
export type CredentialRecord = typeof CredentialRecord.Type

const Label = Schema.String.check(Schema.isMaxLength(64), Schema.isPattern(/^[^\0]*$/))
/** It is sent within quotes in a SIP header. */
const DisplayName = Schema.String.check(Schema.isMaxLength(64), Schema.isPattern(/^[^\p{Cc}"\\<>]*$/u))

/** The body of `POST /v1/numbers/{id}/sip-credentials`. Only its shape: the values are checked later. */
export const CredentialRequest = Schema.Struct({
  extension: Schema.String.check(Schema.isMaxLength(32)).annotate({ description: "Exactly four digits." }),
  label: Schema.optionalKey(Label),
  display_name: Schema.optionalKey(DisplayName).annotate({ description: "Shown to the extensions that it calls." }),
  max_contacts: Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 10 }))).annotate({
    description: "Devices that may be registered at once. Default: 3."
  }),
  media_encryption: Schema.optionalKey(MediaEncryption).annotate({
    description:
      "`sdes` or `dtls`: calls of phones that do not encrypt audio this way are refused. Default: `optional`."
  })
}).annotate({ identifier: "SipCredentialRequest" })
export type CredentialRequest = typeof CredentialRequest.Type

/** The body of `POST …/sip-credentials/{credential_id}/rotate`. */
export const RotateRequest = Schema.Struct({
  grace_seconds: Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 3600 }))).annotate({
    description: "How long the previous password is still accepted. Default: 0."
  })
}).annotate({ identifier: "SipCredentialRotateRequest" })

/** Its registrations are those that have not expired, newest first. */
export type DeviceState = Omit<DeviceStatus, "domain">

/** A PBX's report about the registration of one device. Times are epoch milliseconds. */
export interface RegistrationReport {
  readonly workspace_id: WorkspaceId
  readonly credential_id: CredentialId
  readonly contact: string
  readonly user_agent: string | null
  readonly transport: string | null
  /** When the registration expires; null if the device is no longer registered. */
  readonly expires_at: number | null
  readonly occurred_at: number
}
