// An API key as the API shows it, and the request that creates one.
import { Schema } from "effect"
import { IsoInstant } from "../kit/Fields.ts"
import { KeyEnvironment } from "./ApiKeyClaims.ts"
import { Livemode } from "../kit/Livemode.ts"
import { Scope } from "./Scope.ts"
import { ApiKeyId } from "../BrandedIds.ts"

export const ApiKeyRecord = Schema.Struct({
  id: ApiKeyId.annotate({ description: "The id of the key." }),
  label: Schema.String.annotate({ description: "A name for people." }),
  scopes: Schema.Array(Scope),
  env: KeyEnvironment,
  livemode: Livemode,
  allowed_ips: Schema.Array(Schema.String).annotate({
    description: "Addresses and CIDR ranges from which the key may be used. Empty: from anywhere."
  }),
  created_by: Schema.NullOr(Schema.String).annotate({ description: "The id of the member who created it." }),
  created_at: IsoInstant,
  expires_at: IsoInstant,
  last_used_at: Schema.NullOr(IsoInstant).annotate({ description: "Up to a minute behind." }),
  revoked: Schema.Boolean,
  revoked_at: Schema.NullOr(IsoInstant),
  prefix: Schema.String.annotate({
    description: "The last 8 characters of the key, which tell keys apart: all keys begin alike."
  })
}).annotate({ identifier: "ApiKey" })
export type ApiKeyRecord = typeof ApiKeyRecord.Type

/** The body of `POST /v1/api-keys`. The schema checks the shape; `parseApiKeyRequest` checks the values. */
export const ApiKeyRequest = Schema.Struct({
  label: Schema.optionalKey(Schema.String.check(Schema.isMaxLength(100))).annotate({
    description: "A name for people."
  }),
  scopes: Schema.optionalKey(
    Schema.Array(Schema.String.check(Schema.isMaxLength(64))).check(Schema.isMaxLength(64))
  ).annotate({
    description: "What the key may do. At least one."
  }),
  expires_at: Schema.optionalKey(Schema.String.check(Schema.isMaxLength(40))).annotate({
    description: "RFC 3339. At most 730 days ahead. Default: in 365 days."
  }),
  env: Schema.optionalKey(KeyEnvironment).annotate({ description: "Default `live`." }),
  allowed_ips: Schema.optionalKey(
    Schema.Array(Schema.String.check(Schema.isMaxLength(64))).check(Schema.isMaxLength(16))
  ).annotate({
    description: "Addresses and CIDR ranges from which the key may be used. Default: from anywhere."
  })
}).annotate({ identifier: "ApiKeyRequest" })
export type ApiKeyRequest = typeof ApiKeyRequest.Type
