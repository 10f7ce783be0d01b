import { createHmac, createSecretKey, timingSafeEqual } from "node:crypto"
import { Layer, Redacted } from "effect"
import { ChatAppWebhookAuth } from "../../domain/ports/ChatAppWebhookAuth.ts"

const signaturePattern = /^sha256=([0-9a-f]{64})$/

const keyOf = (secret: Redacted.Redacted) => createSecretKey(Buffer.from(Redacted.value(secret), "utf8"))

/** Without a secret or a token, every request is rejected. Digests are compared in constant time. */
export const layer = (options: {
  /** The secret of the provider's app, which signs its requests. */
  readonly app_secret: Redacted.Redacted | undefined
  readonly verify_token: Redacted.Redacted | undefined
}) => {
  const secret = options.app_secret && keyOf(options.app_secret)
  const token = options.verify_token && keyOf(options.verify_token)
  const proof = token && createHmac("sha256", token).update(Redacted.value(options.verify_token!)).digest()
  return Layer.succeed(ChatAppWebhookAuth)({
    knows: (given) =>
      token !== undefined && timingSafeEqual(createHmac("sha256", token).update(given).digest(), proof!),
    admits: (signature, body) => {
      const [, hex] = signaturePattern.exec(signature) ?? []
      return (
        secret !== undefined &&
        hex !== undefined &&
        timingSafeEqual(createHmac("sha256", secret).update(body).digest(), Buffer.from(hex, "hex"))
      )
    }
  })
}
