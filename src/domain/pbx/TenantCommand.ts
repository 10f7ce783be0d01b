// What the engine asks of a PBX about a tenant as a whole: who may register and which trunk carries its calls. Unlike a
// session's commands these are answered for good: acknowledged when they are carried out, or refused.
import { Schema } from "effect"
import { PbxCommand } from "./PbxCommand.ts"

const Text = Schema.String.check(Schema.isMinLength(1), Schema.isMaxLength(256))

/** Lets a device register as `username`, or changes how it may. It replaces what the PBX knew of the credential. */
const RegistrarPut = Schema.Struct({
  kind: Schema.Literal("registrar.put"),
  credential_id: Text,
  username: Text,
  /** Secret. */
  password: Text,
  /** Secret: accepted as well, until the engine says otherwise. */
  previous_password: Schema.optionalKey(Text),
  extension: Text,
  /** The number that its calls show. */
  number: Text,
  display_name: Schema.optionalKey(Text),
  max_contacts: Schema.Int
})

/** Ends all registrations of the credential and lets nobody register with it. */
const RegistrarDelete = Schema.Struct({ kind: Schema.Literal("registrar.delete"), credential_id: Text, username: Text })

/** How a trunk is reached and how both sides prove who they are, by `auth_mode` (docs/sip-trunks.md). */
export const TrunkTarget = Schema.Struct({
  auth_mode: Schema.Literals(["ip", "digest", "registration", "signaling"]),
  host: Text,
  port: Schema.Int,
  transport: Schema.Literals(["udp", "tcp", "tls"]),
  allowed_ips: Schema.Array(Text),
  username: Schema.optionalKey(Text),
  /** Secret. */
  password: Schema.optionalKey(Text),
  realm: Schema.optionalKey(Text),
  expires_seconds: Schema.optionalKey(Schema.Int),
  /** The engine keeps to them; null is no limit. */
  max_channels: Schema.NullOr(Schema.Int),
  max_cps: Schema.NullOr(Schema.Int),
  codecs: Schema.Array(Text),
  dtmf: Text,
  srtp: Text,
  session_timer_seconds: Schema.Int,
  caller_id_format: Text
})
export type TrunkTarget = typeof TrunkTarget.Type

/** Sets a trunk up beside those that there are; refused when the definition cannot be carried out. */
const TrunkPut = Schema.Struct({ kind: Schema.Literal("trunk.put"), trunk_id: Text, target: TrunkTarget })

/** Asks whether the trunk answers (OPTIONS, or REGISTER where it registers): told by `trunk.state`. */
const TrunkProbe = Schema.Struct({ kind: Schema.Literal("trunk.probe"), trunk_id: Text })

const TrunkDelete = Schema.Struct({ kind: Schema.Literal("trunk.delete"), trunk_id: Text })

export const TenantAction = Schema.Union([RegistrarPut, RegistrarDelete, TrunkPut, TrunkProbe, TrunkDelete])
export type TenantAction = typeof TenantAction.Type

export const TenantCommand = Schema.Struct({
  id: Schema.String.check(Schema.isMinLength(1), Schema.isMaxLength(128)),
  tenant_pbx_id: Text,
  /** The thing that it is about. Of several commands about one thing that wait, the newest alone is sent. */
  about: Text,
  action: TenantAction
}).annotate({ identifier: "PbxTenantCommand" })
export type TenantCommand = typeof TenantCommand.Type

/** Everything that travels down to a gateway. */
export const DownCommand = Schema.Union([PbxCommand, TenantCommand])
export type DownCommand = typeof DownCommand.Type

export const isTenantCommand = (command: DownCommand): command is TenantCommand => "about" in command
