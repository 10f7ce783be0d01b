// HMAC-SHA256 over webhook deliveries and voice callbacks (docs/webhooks.md).
import { createHmac } from "node:crypto"
import { type SignatureFormat, timestampedHeader, timestampSuffix } from "../../domain/signing/SignatureHeader.ts"

const hmacHex = (secret: string, body: string, suffix: string): string =>
  createHmac("sha256", secret).update(body).update(suffix).digest("hex")

/** The value of `X-Service-Signature`. The key is the secret as it is shown, its prefix included. */
export const signature = (format: SignatureFormat, secrets: ReadonlyArray<string>, body: string, t: number): string =>
  format === "body_hex"
    ? hmacHex(secrets[0] ?? "", body, "")
    : timestampedHeader(
        t,
        secrets.map((secret) => hmacHex(secret, body, timestampSuffix(t)))
      )

/** Of the Standard Webhooks specification: the key is what the base64 after `whsec_` stands for. */
export const standardHeaders = (
  id: string,
  secrets: ReadonlyArray<string>,
  body: string,
  t: number
): Record<string, string> => ({
  "webhook-id": id,
  "webhook-timestamp": String(t),
  "webhook-signature": secrets
    .map((secret) => {
      const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64")
      return `v1,${createHmac("sha256", key).update(`${id}.${t}.`).update(body).digest("base64")}`
    })
    .join(" ")
})
