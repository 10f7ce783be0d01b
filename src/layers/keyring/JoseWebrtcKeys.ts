import { createHmac } from "node:crypto"
import { Clock, Effect, Layer, Redacted, Schema } from "effect"
import { errors, jwtVerify, SignJWT } from "jose"
import { WebrtcKeys, WebrtcTokenRefused } from "../../domain/ports/pbx/WebrtcKeys.ts"
import { WebrtcClaims } from "../../domain/webrtc/WebrtcSession.ts"
import { isIssuedLater, loadSigningKeys, type SigningKeysOptions } from "./SigningKeys.ts"

/** The signing keys are those of API keys. The audience tells the two kinds of token apart. */
export interface WebrtcKeysOptions extends SigningKeysOptions {
  readonly issuer: string
  readonly turn_urls: ReadonlyArray<string>
  /** Secret shared with the TURN servers. */
  readonly turn_secret: Redacted.Redacted | undefined
}

const audience = "webrtc"
const alg = "ES256"
const tokenMax = 8192

const decodeClaims = Schema.decodeUnknownEffect(WebrtcClaims)
const refused = (why: WebrtcTokenRefused["why"]) => new WebrtcTokenRefused({ why })

/** Time-limited TURN credentials (draft-uberti-behave-turn-rest). The user name holds the expiry in epoch seconds. */
const turnOf =
  ({ turn_secret, turn_urls }: WebrtcKeysOptions): WebrtcKeys["Service"]["turn"] =>
  (username, until) => {
    if (turn_secret === undefined || turn_urls.length === 0) return []
    const name = `${until}:${username}`
    const credential = createHmac("sha1", Redacted.value(turn_secret)).update(name).digest("base64")
    return [{ urls: turn_urls, username: name, credential }]
  }

/** Mints and verifies browser tokens as ES256 JWTs. */
export const JoseWebrtcKeys = (options: WebrtcKeysOptions): Layer.Layer<WebrtcKeys> =>
  Layer.effect(
    WebrtcKeys,
    Effect.gen(function* () {
      const { keyOf, kid, signing } = yield* Effect.promise(() => loadSigningKeys(options))
      const { issuer } = options

      return WebrtcKeys.of({
        turn: turnOf(options),
        mint: ({ exp, jti, sub, ...claims }) =>
          Effect.flatMap(Clock.currentTimeMillis, (now_ms) =>
            Effect.promise(() =>
              new SignJWT(claims)
                .setProtectedHeader({ alg, kid, typ: "JWT" })
                .setIssuer(issuer)
                .setAudience(audience)
                .setSubject(sub)
                .setJti(jti)
                .setIssuedAt(Math.floor(now_ms / 1000))
                .setExpirationTime(exp)
                .sign(signing)
            )
          ).pipe(Effect.map((token) => Redacted.make(token))),
        verify: (redacted) =>
          Effect.gen(function* () {
            const token = Redacted.value(redacted)
            if (token.length > tokenMax) return yield* refused("invalid")
            const now_ms = yield* Clock.currentTimeMillis
            const { payload } = yield* Effect.tryPromise({
              try: () =>
                jwtVerify(token, keyOf, {
                  algorithms: [alg],
                  issuer,
                  audience,
                  requiredClaims: ["sub", "jti", "exp"],
                  currentDate: new Date(now_ms)
                }),
              catch: (cause) => refused(cause instanceof errors.JWTExpired ? "expired" : "invalid")
            })
            if (payload.iat !== undefined && isIssuedLater(payload.iat, now_ms)) return yield* refused("invalid")
            return yield* Effect.mapError(decodeClaims(payload), () => refused("invalid"))
          })
      })
    })
  )
