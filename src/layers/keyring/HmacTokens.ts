import { createHmac, createSecretKey, hash, randomBytes, timingSafeEqual } from "node:crypto"
import { Layer } from "effect"
import { Tokens } from "../../domain/ports/Tokens.ts"

/** Half of SHA-256, which RFC 2104 allows and a guess will not meet. */
const tag_bytes = 16
const max_length = 1024

/** Signed tokens are base64url of an HMAC-SHA256 tag and the payload. `secret` is of at least 32 random bytes. */
export const HmacTokens = (secret: Uint8Array): Layer.Layer<Tokens> => {
  const key = createSecretKey(secret)
  const tagOf = (payload: Uint8Array | string, purpose: string): Buffer =>
    createHmac("sha256", key).update(`${purpose.length}:${purpose}`).update(payload).digest().subarray(0, tag_bytes)

  return Layer.succeed(Tokens)({
    random: () => randomBytes(32).toString("base64url"),
    hash: (token) => hash("sha256", token, "hex"),
    sign: (payload, purpose) => Buffer.concat([tagOf(payload, purpose), Buffer.from(payload)]).toString("base64url"),
    read: (signed, purpose) => {
      if (signed.length > max_length) return undefined
      const bytes = Buffer.from(signed, "base64url")
      const tag = bytes.subarray(0, tag_bytes)
      const payload = bytes.subarray(tag_bytes)
      // Decoding skips what is not base64url; only the one spelling that was signed is taken.
      if (tag.length < tag_bytes || bytes.toString("base64url") !== signed) return undefined
      return timingSafeEqual(tag, tagOf(payload, purpose)) ? payload.toString() : undefined
    }
  })
}
