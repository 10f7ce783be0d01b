// An API key as members see it, and the request that makes one.
import { Schema } from "effect"
import { KeyEnvironment } from "./ApiKeyClaims.ts"
import { Scope } from "./Scope.ts"

const Instant = Schema.String

export const ApiKeyRecord = Schema.Struct({
  id: Schema.String,
  label: Schema.String,
  scopes: Schema.Array(Scope),
  env: KeyEnvironment,
  allowed_ips: Schema.Array(Schema.String).annotate({
    description: "Where it may be used from; empty: from anywhere."
  }),
  created_by: Schema.NullOr(Schema.String).annotate({ description: "The id of the member who made it." }),
  created_at: Instant,
  expires_at: Instant,
  last_used_at: Schema.NullOr(Instant).annotate({ description: "Up to a minute late." }),
  revoked: Schema.Boolean,
  revoked_at: Schema.NullOr(Instant),
  prefix: Schema.String.annotate({ description: "How the key begins." })
}).annotate({ identifier: "ApiKey" })
export type ApiKeyRecord = typeof ApiKeyRecord.Type

/** The body of `POST /v1/api-keys`. Shape alone: what the values mean is checked after it. */
export const ApiKeyRequest = Schema.Struct({
  label: Schema.optionalKey(Schema.String.check(Schema.isMaxLength(100))),
  scopes: Schema.optionalKey(
    Schema.Array(Schema.String.check(Schema.isMaxLength(64))).check(Schema.isMaxLength(64))
  ).annotate({
    description: "What the key may do."
  }),
  expires_at: Schema.optionalKey(Schema.String.check(Schema.isMaxLength(40))).annotate({
    description: "RFC 3339. At most 730 days ahead; 365 days if absent."
  }),
  env: Schema.optionalKey(KeyEnvironment).annotate({ description: "`live` if absent." }),
  allowed_ips: Schema.optionalKey(
    Schema.Array(Schema.String.check(Schema.isMaxLength(64))).check(Schema.isMaxLength(16))
  ).annotate({
    description: "Addresses and CIDR ranges from which alone the key may be used. Absent or empty: from anywhere."
  })
}).annotate({ identifier: "ApiKeyRequest" })
export type ApiKeyRequest = typeof ApiKeyRequest.Type
