import { createHmac, timingSafeEqual } from "node:crypto"
import {
  parseSignatureHeader,
  type SignatureFormat,
  timestampSuffix,
  tolerance_seconds
} from "../../domain/signing/SignatureHeader.ts"

export interface SignedBody {
  /** The raw bytes of the body. Parsed and re-serialized JSON does not verify. */
  readonly body: Uint8Array | string
  /** The value of `X-Service-Signature`. */
  readonly signature: string
  /** The subscription's secret as shown, `whsec_` included. */
  readonly secret: string
  /** The receiver's time, Unix seconds. */
  readonly now_seconds: number
  /**
   * The format that you expect; the other one is rejected. Absent: both are accepted, and anyone who has seen a
   * `body_hex` signature can replay it at any time.
   */
  readonly format?: SignatureFormat
}

export type Verification =
  | { readonly ok: true; readonly format: SignatureFormat }
  | { readonly ok: false; readonly reason: "malformed" | "expired" | "mismatch" }

const refused = (reason: "malformed" | "expired" | "mismatch"): Verification => ({ ok: false, reason })

/**
 * Verifies that a webhook, a voice callback or the URL of an audio stream is signed by the platform, and returns the
 * format of its signature. Receivers of webhooks use `verifyWebhook` of `trunkline/webhooks`, which reads the event.
 * The time of a `timestamped` signature may differ from the receiver's by 300 seconds; `body_hex` has no time. Compares
 * in constant time.
 */
export const verifySignature = ({ body, format, now_seconds, secret, signature }: SignedBody): Verification => {
  const parsed = parseSignatureHeader(signature)
  if (parsed === undefined) return refused("malformed")
  if (format !== undefined && parsed.format !== format) return refused("mismatch")
  const matches = (suffix: string, hex: string) =>
    timingSafeEqual(createHmac("sha256", secret).update(body).update(suffix).digest(), Buffer.from(hex, "hex"))
  if (parsed.format === "body_hex")
    return matches("", parsed.hex) ? { ok: true, format: "body_hex" } : refused("mismatch")
  if (!parsed.v1.some((hex) => matches(timestampSuffix(parsed.t), hex))) return refused("mismatch")
  return Math.abs(now_seconds - parsed.t) > tolerance_seconds ? refused("expired") : { ok: true, format: "timestamped" }
}
