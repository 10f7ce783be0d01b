import { createHmac, createSecretKey, timingSafeEqual } from "node:crypto"
import { Layer } from "effect"
import { CursorSigner } from "../../domain/ports/CursorSigner.ts"

/** Half of SHA-256, which RFC 2104 allows and a guess will not meet. */
const tag_bytes = 16
const max_length = 1024

/** Cursors are base64url of an HMAC-SHA256 tag and the payload. `secret` is of at least 32 random bytes. */
export const HmacCursorSigner = (secret: Uint8Array): Layer.Layer<CursorSigner> => {
  const key = createSecretKey(secret)

  /** A length before the query keeps it apart from the payload. */
  const tagOf = (payload: Uint8Array | string, query: string): Buffer =>
    createHmac("sha256", key).update(`cursor:${query.length}:${query}`).update(payload).digest().subarray(0, tag_bytes)

  return Layer.succeed(CursorSigner)({
    seal: (payload, query) => Buffer.concat([tagOf(payload, query), Buffer.from(payload)]).toString("base64url"),
    open: (sealed, query) => {
      if (sealed.length > max_length) return undefined
      const bytes = Buffer.from(sealed, "base64url")
      const tag = bytes.subarray(0, tag_bytes)
      const payload = bytes.subarray(tag_bytes)
      // Decoding skips what is not base64url; only the one spelling that was sealed is taken.
      if (tag.length < tag_bytes || bytes.toString("base64url") !== sealed) return undefined
      return timingSafeEqual(tag, tagOf(payload, query)) ? payload.toString() : undefined
    }
  })
}
