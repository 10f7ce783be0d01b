import { createHmac, createSecretKey, type KeyObject, timingSafeEqual } from "node:crypto"
import { Layer, Redacted } from "effect"
import { ChatAppWebhookAuth } from "../../domain/ports/pbx/ChatAppWebhookAuth.ts"

const signaturePattern = /^sha256=([0-9a-f]{64})$/

const keyOf = (secret: Redacted.Redacted) => createSecretKey(Buffer.from(Redacted.value(secret), "utf8"))

/** Without a secret or a token, every request is rejected. Digests are compared in constant time. */
export const layer = (options: {
  /** The secret of the provider's app, which signs its requests. */
  readonly app_secret: Redacted.Redacted | undefined
  readonly verify_token: Redacted.Redacted | undefined
}) => {
  const secret = options.app_secret && keyOf(options.app_secret)
  const digestOf = (key: KeyObject, text: string) => createHmac("sha256", key).update(text).digest()
  const { verify_token } = options
  const token = verify_token && keyOf(verify_token)
  const expected = verify_token && token && { token, proof: digestOf(token, Redacted.value(verify_token)) }
  return Layer.succeed(ChatAppWebhookAuth)({
    knows: (given) => expected !== undefined && timingSafeEqual(digestOf(expected.token, given), expected.proof),
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
