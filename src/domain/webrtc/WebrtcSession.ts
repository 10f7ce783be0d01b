// The request for a WebRTC token, the session that a browser gets, and the token's claims (docs/webrtc.md).
import { Schema } from "effect"
import { Metadata } from "../kit/Metadata.ts"
import { CredentialId, NumberId, WorkspaceId } from "../BrandedIds.ts"
import { optional } from "../kit/Fields.ts"

const Allow = Schema.Struct({ incoming: Schema.Boolean, outgoing: Schema.Boolean })
const ClientName = Schema.String.check(Schema.isPattern(/^[A-Za-z0-9_-]{1,64}$/))

/** The body of `POST /v1/webrtc/token`. */
export const WebrtcTokenRequest = Schema.Struct({
  client_name: optional(ClientName).annotate({
    description: "Names the client in your own records. Default: the extension."
  }),
  number_id: optional(NumberId.check(Schema.isUUID())).annotate({
    description: "Use the oldest extension of this number."
  }),
  extension: optional(Schema.String.check(Schema.isMaxLength(32))).annotate({
    description: "Use this extension. Default, without `number_id`: the oldest extension of the workspace."
  }),
  ttl_seconds: optional(Schema.Int.check(Schema.isBetween({ minimum: 60, maximum: 3600 }))).annotate({
    description: "Default: 900."
  }),
  allow: optional(Schema.Struct({ incoming: optional(Schema.Boolean), outgoing: optional(Schema.Boolean) })).annotate({
    description: "What the client may do. Default: both."
  }),
  metadata: optional(Metadata).annotate({ description: "Up to 16 values of your own, included in the token." })
}).annotate({ identifier: "WebrtcTokenRequest" })
export type WebrtcTokenRequest = typeof WebrtcTokenRequest.Type

export const TurnServer = Schema.Struct({
  urls: Schema.Array(Schema.String),
  username: Schema.String,
  credential: Schema.String
})
export type TurnServer = typeof TurnServer.Type

/** The session without its token. */
export const WebrtcSession = Schema.Struct({
  id: Schema.String.annotate({ description: "The token's `jti`." }),
  endpoint: Schema.String.annotate({ description: "Where the client connects." }),
  protocol: Schema.Literal("sip").annotate({ description: "The WebSocket subprotocol (RFC 7118)." }),
  turnServer: Schema.Array(TurnServer).annotate({
    description: "ICE servers, which accept the client while the token is valid."
  }),
  clientName: Schema.String,
  sipProfile: Schema.Struct({
    uri: Schema.String,
    extension: Schema.String,
    display_name: Schema.NullOr(Schema.String),
    number: Schema.String.annotate({ description: "The caller ID of its calls." })
  }),
  expiresIn: Schema.Int.annotate({ description: "Seconds." })
})
export type WebrtcSession = typeof WebrtcSession.Type

export const WebrtcSessionWithToken = Schema.Struct({
  ...WebrtcSession.fields,
  token: Schema.String.annotate({ description: "For this client only." })
}).annotate({ identifier: "WebrtcSession" })

const NumericDate = Schema.Int.check(Schema.isGreaterThanOrEqualTo(0))

/** The claims of the token (RFC 7519), besides `iss` and `aud`. */
export const WebrtcClaims = Schema.Struct({
  /** The user name of the credential on the PBX, and so the user of the client's From. */
  sub: Schema.String.check(Schema.isMinLength(1)),
  jti: Schema.String,
  workspace_id: WorkspaceId.check(Schema.isUUID()),
  credential_id: CredentialId.check(Schema.isUUID()),
  ext: Schema.String,
  client_name: Schema.String,
  /** Where the client connects, for clients that are given nothing but the token. Absent in older tokens. */
  endpoint: optional(Schema.String),
  allow: Allow,
  metadata: optional(Metadata),
  exp: NumericDate
})
export type WebrtcClaims = typeof WebrtcClaims.Type
