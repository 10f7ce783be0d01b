// The platform's signing keys. The current key signs; all of them verify.
import { calculateJwkThumbprint, type CryptoKey, errors, importJWK, type JWK } from "jose"
import type { PublicJwk } from "../../domain/access/PublicJwk.ts"

export interface SigningKeysOptions {
  /** Signs and verifies. A private JWK on P-256. */
  readonly current: JWK
  /** Only verifies, while tokens that it signed are in use. A private or public JWK. */
  readonly previous?: JWK
}

const alg = "ES256"

/** How far the clocks of the processes that mint and verify tokens may be apart. */
const clockSkew_seconds = 60

/** Whether a token claims that it was issued in the future. `iat` is in epoch seconds. */
export const isIssuedLater = (iat: number, now_ms: number): boolean => iat > now_ms / 1000 + clockSkew_seconds

/** The public half. Its id, if it has none, is the thumbprint (RFC 7638), which is the same on every node. */
const publicHalf = async ({ kty, crv, x, y, kid }: JWK): Promise<PublicJwk> => {
  if (kty !== "EC" || crv !== "P-256" || x === undefined || y === undefined) {
    throw new TypeError("A signing key must be an EC key on the curve P-256.")
  }
  const key = { kty: "EC", crv: "P-256", x, y } as const
  return { ...key, kid: kid ?? (await calculateJwkThumbprint(key)), alg, use: "sig" }
}

const importKey = async (jwk: JWK): Promise<CryptoKey> => {
  const key = await importJWK(jwk, alg)
  if (key instanceof Uint8Array) throw new TypeError("A signing key must not be symmetric.")
  return key
}

export const loadSigningKeys = async ({ current, previous }: SigningKeysOptions) => {
  if (current.d === undefined) throw new TypeError("The current signing key must be a private key.")
  const own = await publicHalf(current)
  const keys = [own, ...(previous === undefined ? [] : [await publicHalf(previous)])]
  const verifying = new Map<string, CryptoKey>()
  for (const key of keys) verifying.set(key.kid, await importKey({ ...key }))
  return {
    keys,
    kid: own.kid,
    signing: await importKey(current),
    /** Finds the key that a token's header names, for `jwtVerify`. */
    keyOf: ({ kid }: { readonly kid?: string }): CryptoKey => {
      const key = verifying.get(kid ?? "")
      if (key === undefined) throw new errors.JWKSNoMatchingKey()
      return key
    }
  }
}
