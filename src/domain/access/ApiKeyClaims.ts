import { Schema } from "effect"
import { Scope } from "./Scope.ts"

const Uuid = Schema.String.check(Schema.isUUID())
/** NumericDate of RFC 7519: seconds since the epoch. */
const NumericDate = Schema.Int.check(Schema.isGreaterThanOrEqualTo(0))

/** `test` keys reach the simulated network alone. */
export const KeyEnvironment = Schema.Literals(["live", "test"])
export type KeyEnvironment = typeof KeyEnvironment.Type

/** What the JWT of an API key says (RFC 7519). A token that lacks one of these is not a key. */
export const ApiKeyClaims = Schema.Struct({
  iss: Schema.String,
  aud: Schema.String,
  /** The key's id. */
  sub: Uuid,
  /** Revocation goes by it and never by the token's text: an ES256 signature has a second valid form. */
  jti: Uuid,
  workspace_id: Uuid,
  scopes: Schema.Array(Scope),
  env: KeyEnvironment,
  /** Set: no quota holds for the key. */
  unlimited: Schema.optionalKey(Schema.Boolean),
  /** Addresses and ranges from which alone the key may be used; absent: from anywhere. */
  allowed_ips: Schema.optionalKey(Schema.Array(Schema.String)),
  iat: NumericDate,
  exp: NumericDate
})
export type ApiKeyClaims = typeof ApiKeyClaims.Type

/** What a new key is given; the keyring adds the rest. */
export interface ApiKeyGrant {
  readonly key_id: string
  readonly workspace_id: string
  readonly scopes: ReadonlyArray<Scope>
  readonly env: KeyEnvironment
  readonly unlimited?: boolean
  /** Empty or absent: it may be used from anywhere. */
  readonly allowed_ips?: ReadonlyArray<string>
  /** Epoch milliseconds, rounded down to a whole second in the token. */
  readonly expires_at: number
}
