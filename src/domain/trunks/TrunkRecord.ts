// The SIP trunk of a workspace as the API shows it, and the request that creates or changes it (docs/sip-trunks.md).
import { Schema } from "effect"
import { IsoInstant, optional, orNull } from "../kit/Fields.ts"
import { TrunkId } from "../BrandedIds.ts"
import { TrunkLimits } from "./TrunkCapacity.ts"

export const authModes = ["ip", "digest", "registration", "signaling"] as const
export const codecs = ["PCMA", "PCMU", "opus", "G722", "G729"] as const

const AuthMode = Schema.Literals(authModes).annotate({
  description:
    "`ip`: each side accepts calls from the other's IP addresses. `digest`: calls are authenticated with a username and " +
    "password. `registration`: the platform registers with your registrar. `signaling`: IP peering, which an operator " +
    "has to approve."
})

export const TrunkDefinition = Schema.Struct({
  auth_mode: AuthMode,
  /** In mode `registration`: the registrar. */
  host: Schema.String,
  port: Schema.Int,
  transport: Schema.Literals(["udp", "tcp", "tls"]),
  allowed_ips: Schema.Array(Schema.String),
  username: orNull(Schema.String),
  /** Encrypted with the master key. */
  password: orNull(Schema.String),
  realm: orNull(Schema.String),
  expires_seconds: orNull(Schema.Int),
  contact_email: orNull(Schema.String),
  label: orNull(Schema.String),
  ...TrunkLimits.fields,
  codecs: Schema.Array(Schema.Literals(codecs)),
  dtmf: Schema.Literals(["rfc4733", "info", "inband"]),
  srtp: Schema.Literals(["off", "optional", "required"]),
  session_timer_seconds: Schema.Int,
  caller_id_format: Schema.Literals(["e164", "digits", "national"])
})
export type TrunkDefinition = typeof TrunkDefinition.Type

const { host: _host, password: _password, ...shown } = TrunkDefinition.fields

export const TrunkRecord = Schema.Struct({
  id: TrunkId.annotate({ description: "The id of the trunk." }),
  ...shown,
  host: orNull(Schema.String),
  registrar: orNull(Schema.String).annotate({ description: "Set instead of `host` in mode `registration`." }),
  status: Schema.Literals(["pending", "active", "failed"]).annotate({ description: "The state of the trunk." }),
  status_reason: orNull(Schema.String).annotate({
    description: "Why the trunk failed or was taken off the PBX, or what it is waiting for."
  }),
  health: Schema.Struct({
    reachable: orNull(Schema.Boolean),
    last_checked_at: orNull(IsoInstant),
    registered_until: orNull(IsoInstant),
    last_sip_code: orNull(Schema.Int)
  }),
  approved_at: orNull(IsoInstant),
  created_at: IsoInstant,
  updated_at: IsoInstant
}).annotate({ identifier: "SipTrunk" })
export type TrunkRecord = typeof TrunkRecord.Type

const Text = Schema.String.check(Schema.isMaxLength(256))

/** The body of `POST` and `PUT /v1/sip-trunk`. Checks the shape only; what each mode requires is checked afterwards. */
export const TrunkRequest = Schema.Struct({
  auth_mode: Text.annotate({ description: "`ip`, `digest`, `registration` or `signaling`." }),
  host: optional(Text).annotate({
    description: "Host name or IP address of your side. Required except for `registration`."
  }),
  registrar: optional(Text).annotate({
    description: "Host name or IP address of your registrar. Required for `registration`."
  }),
  port: optional(Schema.Int).annotate({ description: "Default 5060, or 5061 with `tls`." }),
  transport: optional(Text).annotate({ description: "`udp` (default), `tcp` or `tls`." }),
  allowed_ips: optional(Schema.Array(Text)).annotate({
    description:
      "1 to 16 public IP addresses or CIDR ranges that your calls come from. Required for `ip` and `signaling`."
  }),
  username: optional(Text).annotate({ description: "Required for `digest` and `registration`." }),
  password: optional(Text).annotate({ description: "Required for `digest` and `registration`. Never returned." }),
  realm: optional(Text).annotate({ description: "The realm of the digest." }),
  expires_seconds: optional(Schema.Int).annotate({
    description: "Lifetime of a registration: 300 to 3600. Default 3600. For `registration`."
  }),
  contact_email: optional(Text).annotate({ description: "Required for `signaling`." }),
  label: optional(Text),
  max_channels: optional(orNull(Schema.Int)).annotate({
    description: "Concurrent calls in both directions: 1 to 10,000, or null for no limit. Default 30."
  }),
  max_cps: optional(orNull(Schema.Int)).annotate({
    description: "Outbound calls per second: 1 to 1,000, or null for no limit. Default 5."
  }),
  codecs: optional(Schema.Array(Text)).annotate({
    description: "Any of PCMA, PCMU, opus, G722 and G729. Default: PCMA and PCMU."
  }),
  dtmf: optional(Text).annotate({ description: "`rfc4733` (default), `info` or `inband`." }),
  srtp: optional(Text).annotate({ description: "`off` (default), `optional` or `required`." }),
  session_timer_seconds: optional(Schema.Int).annotate({
    description: "90 to 7200, or 0 to disable session timers. Default 1800."
  }),
  caller_id_format: optional(Text).annotate({
    description: "`e164` (default), `digits` (E.164 without the plus) or `national`."
  })
}).annotate({ identifier: "SipTrunkRequest" })
export type TrunkRequest = typeof TrunkRequest.Type

/** The body of `POST /v1/admin/sip-trunks/{id}/reject`. */
export const RejectRequest = Schema.Struct({
  reason: optional(Schema.String.check(Schema.isMaxLength(200))).annotate({ description: "Shown to the workspace." })
}).annotate({ identifier: "SipTrunkRejectRequest" })
