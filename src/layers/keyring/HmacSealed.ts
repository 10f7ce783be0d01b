// Signs short texts that clients send back: base64url of an HMAC-SHA256 tag and the payload.
import { createHmac, createSecretKey, type KeyObject, timingSafeEqual } from "node:crypto"
import type { Keys } from "./Secrets.ts"

/** HMAC-SHA256 truncated to 128 bits, which RFC 2104, section 5, allows. */
const tag_bytes = 16
const max_length = 1024

/**
 * `context` is authenticated but not part of the text; `open` needs the same one. Keys have at least 32 random bytes.
 */
export const makeSealed = (secrets: Keys) => {
  const keys = secrets.map((secret) => createSecretKey(secret))
  const current = createSecretKey(secrets[0])
  const tagOf = (key: KeyObject, payload: Uint8Array | string, context: string): Buffer =>
    createHmac("sha256", key).update(context).update(payload).digest().subarray(0, tag_bytes)
  return {
    seal: (payload: string, context: string): string =>
      Buffer.concat([tagOf(current, payload, context), Buffer.from(payload)]).toString("base64url"),
    open: (sealed: string, context: string): string | undefined => {
      if (sealed.length > max_length) return undefined
      const bytes = Buffer.from(sealed, "base64url")
      const tag = bytes.subarray(0, tag_bytes)
      const payload = bytes.subarray(tag_bytes)
      // Buffer ignores characters that are not base64url. Accept only the exact text that `seal` returned.
      if (tag.length < tag_bytes || bytes.toString("base64url") !== sealed) return undefined
      return keys.some((key) => timingSafeEqual(tag, tagOf(key, payload, context))) ? payload.toString() : undefined
    }
  }
}
