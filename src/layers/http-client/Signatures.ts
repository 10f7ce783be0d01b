// Signs webhook deliveries and voice callbacks with HMAC-SHA256 (docs/webhooks.md).
import { createHmac } from "node:crypto"
import { type SignatureFormat, timestampedHeader, timestampSuffix } from "../../domain/signing/SignatureHeader.ts"

const hmacHex = (secret: string, body: string, suffix: string): string =>
  createHmac("sha256", secret).update(body).update(suffix).digest("hex")

/** The value of `X-Service-Signature`. The key is the whole secret as shown, prefix included. */
export const signature = (format: SignatureFormat, secrets: ReadonlyArray<string>, body: string, t: number): string =>
  format === "body_hex"
    ? hmacHex(secrets[0] ?? "", body, "")
    : timestampedHeader(
        t,
        secrets.map((secret) => hmacHex(secret, body, timestampSuffix(t)))
      )

/** The headers of the Standard Webhooks specification. The key is the decoded base64 after `whsec_`. */
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
