// The commands about a tenant that the engine sends to a PBX: who may register, and which trunks there are. Unlike
// session commands, they are acknowledged only when they have been carried out, and they may be refused.
import { Schema } from "effect"
import { PbxCommand } from "./PbxCommand.ts"

const Text = Schema.String.check(Schema.isMinLength(1), Schema.isMaxLength(256))

/** Lets devices register as `username`. Replaces everything that the PBX had about the credential. */
const RegistrarPut = Schema.Struct({
  kind: Schema.Literal("registrar.put"),
  credential_id: Text.pipe(Schema.brand("CredentialId")),
  username: Text,
  /** A secret: never logged. */
  password: Text,
  /** Secret. Also accepted, until the next `registrar.put` leaves it out. */
  previous_password: Schema.optionalKey(Text),
  extension: Text,
  /** The caller ID of its calls. */
  number: Text,
  display_name: Schema.optionalKey(Text),
  max_contacts: Schema.Int,
  /** Refuse calls of phones without SRTP, with keys in SDP (`sdes`) or by DTLS. Absent: encryption is optional. */
  media_encryption: Schema.optionalKey(Schema.Literals(["sdes", "dtls"]))
})

/** Ends all registrations of the credential and allows no new ones. */
const RegistrarDelete = Schema.Struct({
  kind: Schema.Literal("registrar.delete"),
  credential_id: Text.pipe(Schema.brand("CredentialId")),
  username: Text
})

/** How a trunk is reached, and how both sides authenticate, by `auth_mode` (docs/sip-trunks.md). */
export const TrunkTarget = Schema.Struct({
  auth_mode: Schema.Literals(["ip", "digest", "registration", "signaling"]),
  host: Text,
  /**
   * The addresses that `host` has. The PBX sends to them and does not resolve the name, except over TLS, where the
   * certificate proves the host. Absent if the engine could not resolve it.
   */
  addresses: Schema.optionalKey(Schema.Array(Text)),
  port: Schema.Int,
  transport: Schema.Literals(["udp", "tcp", "tls"]),
  allowed_ips: Schema.Array(Text),
  username: Schema.optionalKey(Text),
  /** A secret: never logged. */
  password: Schema.optionalKey(Text),
  realm: Schema.optionalKey(Text),
  expires_seconds: Schema.optionalKey(Schema.Int),
  /** The engine enforces these limits; null is no limit. */
  max_channels: Schema.NullOr(Schema.Int),
  max_cps: Schema.NullOr(Schema.Int),
  codecs: Schema.Array(Text),
  dtmf: Text,
  srtp: Text,
  session_timer_seconds: Schema.Int,
  caller_id_format: Text
})
export type TrunkTarget = typeof TrunkTarget.Type

/** Sets up a trunk beside the existing ones. Refused if the gateway cannot carry out the definition. */
const TrunkPut = Schema.Struct({
  kind: Schema.Literal("trunk.put"),
  trunk_id: Text.pipe(Schema.brand("PbxTrunkId")),
  target: TrunkTarget,
  /**
   * The trunk of a chat app's provider for one number. Its calls in either direction are authenticated by digest with
   * the user name and password of the target. Needs the capability `chatapp.v1`.
   */
  chatapp: Schema.optionalKey(
    Schema.Struct({
      /** The business number, in E.164. */
      number: Text,
      /** The SIP host of the platform as the provider knows it: the host of From in calls to the provider. */
      host: Text
    })
  ).annotate({ description: "The number whose calls in the chat app the trunk carries." })
})

/** Checks whether the trunk answers (OPTIONS; REGISTER if it registers). `trunk.state` reports the result. */
const TrunkProbe = Schema.Struct({
  kind: Schema.Literal("trunk.probe"),
  trunk_id: Text.pipe(Schema.brand("PbxTrunkId"))
})

const TrunkDelete = Schema.Struct({
  kind: Schema.Literal("trunk.delete"),
  trunk_id: Text.pipe(Schema.brand("PbxTrunkId"))
})

export const TenantAction = Schema.Union([RegistrarPut, RegistrarDelete, TrunkPut, TrunkProbe, TrunkDelete])
export type TenantAction = typeof TenantAction.Type

export const TenantCommand = Schema.Struct({
  id: Schema.String.check(Schema.isMinLength(1), Schema.isMaxLength(128)).annotate({
    description: "The id of the command, which every repetition has."
  }),
  tenant_pbx_id: Text,
  /** The object that the command is about. Of several waiting commands about one object, only the newest is sent. */
  about: Text,
  action: TenantAction
}).annotate({ identifier: "PbxTenantCommand" })
export type TenantCommand = typeof TenantCommand.Type

/** Any command to a gateway. */
export const DownCommand = Schema.Union([PbxCommand, TenantCommand])
export type DownCommand = typeof DownCommand.Type

export const isTenantCommand = (command: DownCommand): command is TenantCommand => "about" in command
