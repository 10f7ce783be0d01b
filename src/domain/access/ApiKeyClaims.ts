import { Schema } from "effect"
import { Scope } from "./Scope.ts"
import { ApiKeyId, WorkspaceId } from "../BrandedIds.ts"

const KeyId = ApiKeyId.check(Schema.isUUID())
/** NumericDate of RFC 7519: seconds since the epoch. */
const NumericDate = Schema.Int.check(Schema.isGreaterThanOrEqualTo(0))

/** `test` keys reach the simulated network only. */
export const KeyEnvironment = Schema.Literals(["live", "test"])
export type KeyEnvironment = typeof KeyEnvironment.Type

/** The claims in the JWT of an API key (RFC 7519). A token without one of the required claims is not a key. */
export const ApiKeyClaims = Schema.Struct({
  iss: Schema.String,
  aud: Schema.String,
  /** The id of the key. */
  sub: KeyId,
  /** Revocation goes by it and never by the token's text: an ES256 signature has a second valid form. */
  jti: KeyId,
  workspace_id: WorkspaceId.check(Schema.isUUID()),
  scopes: Schema.Array(Scope),
  env: KeyEnvironment,
  /** True: the key is exempt from rate limits. */
  unlimited: Schema.optionalKey(Schema.Boolean),
  /** Addresses and ranges from which the key may be used. Absent: from anywhere. */
  allowed_ips: Schema.optionalKey(Schema.Array(Schema.String)),
  iat: NumericDate,
  exp: NumericDate
})
export type ApiKeyClaims = typeof ApiKeyClaims.Type

/** The claims of a new key. The keyring adds the others. */
export interface ApiKeyGrant {
  readonly key_id: ApiKeyId
  readonly workspace_id: WorkspaceId
  readonly scopes: ReadonlyArray<Scope>
  readonly env: KeyEnvironment
  readonly unlimited?: boolean
  /** Empty or absent: the key may be used from anywhere. */
  readonly allowed_ips?: ReadonlyArray<string>
  /** Epoch milliseconds, rounded down to a whole second in the token. */
  readonly expires_at: number
}
