// Short texts that come back from outside as they were given out: base64url of an HMAC-SHA256 tag and the payload.
import { createHmac, createSecretKey, type KeyObject, timingSafeEqual } from "node:crypto"
import type { Keys } from "./Secrets.ts"

/** Half of SHA-256, which RFC 2104 allows and a guess will not meet. */
const tag_bytes = 16
const max_length = 1024

/** `context` is bound, and not sealed in: whoever opens must know it. Keys are of at least 32 random bytes. */
export const makeSealed = (secrets: Keys) => {
  const keys = secrets.map((secret) => createSecretKey(secret))
  const tagOf = (key: KeyObject, payload: Uint8Array | string, context: string): Buffer =>
    createHmac("sha256", key).update(context).update(payload).digest().subarray(0, tag_bytes)
  return {
    seal: (payload: string, context: string): string =>
      Buffer.concat([tagOf(keys[0]!, payload, context), Buffer.from(payload)]).toString("base64url"),
    open: (sealed: string, context: string): string | undefined => {
      if (sealed.length > max_length) return undefined
      const bytes = Buffer.from(sealed, "base64url")
      const tag = bytes.subarray(0, tag_bytes)
      const payload = bytes.subarray(tag_bytes)
      // Decoding skips what is not base64url; only the one spelling that was sealed is taken.
      if (tag.length < tag_bytes || bytes.toString("base64url") !== sealed) return undefined
      return keys.some((key) => timingSafeEqual(tag, tagOf(key, payload, context))) ? payload.toString() : undefined
    }
  }
}
