import { Clock, Effect, Layer, Redacted, Schema } from "effect"
import { errors, jwtVerify, SignJWT } from "jose"
import { ApiKeyClaims, type ApiKeyGrant } from "../../domain/access/ApiKeyClaims.ts"
import { ApiKeyExpired, ApiKeyInvalid } from "../../domain/errors/ApiKeyErrors.ts"
import { Keyring } from "../../domain/ports/engine/Keyring.ts"
import { isIssuedLater, loadSigningKeys, type SigningKeysOptions } from "./SigningKeys.ts"
import { VerifiedTokens } from "./VerifiedTokens.ts"

export interface KeyringOptions extends SigningKeysOptions {
  /** `iss`: the deployment's base URL. */
  readonly issuer: string
  /** `aud`: tells API keys from the deployment's other tokens. */
  readonly audience: string
}

/** Longer than any key with all scopes. Longer tokens are refused without decoding. */
const max_token_length = 4096
const cached_tokens = 10_000
const alg = "ES256"

const decodeClaims = Schema.decodeUnknownEffect(ApiKeyClaims)

/** The claims of a new key. */
const unsigned = (grant: ApiKeyGrant, now_ms: number, { audience, issuer }: KeyringOptions): SignJWT =>
  new SignJWT({
    workspace_id: grant.workspace_id,
    scopes: [...grant.scopes],
    env: grant.env,
    ...(grant.unlimited && { unlimited: true }),
    ...(grant.allowed_ips?.length && { allowed_ips: [...grant.allowed_ips] })
  })
    .setIssuer(issuer)
    .setAudience(audience)
    .setSubject(grant.key_id)
    .setJti(grant.key_id)
    .setIssuedAt(Math.floor(now_ms / 1000))
    .setExpirationTime(Math.floor(grant.expires_at / 1000))

/** Mints and verifies API keys as ES256 JWTs (RFC 7515, RFC 7519). An unusable signing key stops the start. */
export const JoseKeyring = (options: KeyringOptions): Layer.Layer<Keyring> =>
  Layer.effect(
    Keyring,
    Effect.gen(function* () {
      const { keyOf, keys, kid, signing } = yield* Effect.promise(() => loadSigningKeys(options))
      const { issuer, audience } = options
      const verified = new VerifiedTokens(cached_tokens)

      const remember = (token: string, payload: unknown, now_ms: number) =>
        decodeClaims(payload).pipe(
          Effect.mapError((cause) => new ApiKeyInvalid({ cause })),
          Effect.filterOrFail(
            ({ iat }) => !isIssuedLater(iat, now_ms),
            () => new ApiKeyInvalid()
          ),
          Effect.tap((claims) => Effect.sync(() => verified.add(token, claims, now_ms)))
        )

      const check = (token: string, now_ms: number) =>
        Effect.tryPromise({
          try: () =>
            jwtVerify(token, keyOf, {
              algorithms: [alg],
              issuer,
              audience,
              requiredClaims: ["iss", "aud", "sub", "jti", "workspace_id", "scopes", "env", "iat", "exp"],
              currentDate: new Date(now_ms)
            }),
          catch: (cause) => cause
        }).pipe(
          Effect.matchEffect({
            onSuccess: ({ payload }) => remember(token, payload, now_ms),
            // Its signature was right, so that it need not be checked again.
            onFailure: (cause) =>
              cause instanceof errors.JWTExpired
                ? Effect.andThen(remember(token, cause.payload, now_ms), Effect.fail(new ApiKeyExpired()))
                : Effect.fail(new ApiKeyInvalid({ cause }))
          })
        )

      return Keyring.of({
        mint: (grant) =>
          Effect.flatMap(Clock.currentTimeMillis, (now_ms) =>
            Effect.map(
              Effect.promise(() =>
                unsigned(grant, now_ms, options).setProtectedHeader({ alg, kid, typ: "JWT" }).sign(signing)
              ),
              (token) => Redacted.make(token)
            )
          ),
        knows: (token) => verified.knows(Redacted.value(token)),
        recall: (token, now_ms) => verified.get(Redacted.value(token), now_ms),
        verify: (redacted) =>
          Clock.clockWith((clock) => {
            const token = Redacted.value(redacted)
            const now_ms = clock.currentTimeMillisUnsafe()
            const claims = verified.get(token, now_ms)
            if (claims !== undefined) return Effect.succeed(claims)
            if (verified.hasExpired(token, now_ms)) return Effect.fail(new ApiKeyExpired())
            return token.length > max_token_length ? Effect.fail(new ApiKeyInvalid()) : check(token, now_ms)
          }),
        jwks: { keys }
      })
    })
  )
