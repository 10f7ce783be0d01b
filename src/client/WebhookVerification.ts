// Verifies what the platform signs: webhooks and the questions to voice callbacks. With WebCrypto, which every runtime
// has; its comparison takes the same time for every signature.
import { parseSignatureHeader, timestampSuffix, tolerance_seconds } from "../domain/signing/SignatureHeader.ts"

/** Headers of any framework. Names may be in any case. */
export type HeadersLike = Headers | Readonly<Record<string, string | ReadonlyArray<string> | undefined>>

/** A request: of the fetch API, or its headers with the body as it came. */
export type SignedRequest = Request | { readonly headers: HeadersLike; readonly body: string | Uint8Array }

export interface VerifyOptions {
  /** How many seconds the time of the signature may differ from yours. Default 300. */
  readonly tolerance?: number
  /** The format of the subscription. Default `timestamped`; a `body_hex` signature can be replayed for ever. */
  readonly format?: "timestamped" | "body_hex"
  /** Your time in epoch milliseconds. */
  readonly now?: () => number
}

const advice = {
  secret_malformed: "The secret is not one of this platform: it begins with whsec_ and has no blanks.",
  header_missing: "The request has no header X-Service-Signature, so the platform did not send it.",
  header_malformed: "The header X-Service-Signature is neither t=…,v1=… nor 64 hex digits.",
  format_refused: "The signature has the other format. Set `format` to that of the subscription.",
  body_parsed: "The body was parsed. Pass the raw bytes: a JSON parser before this changes them.",
  body_used: "The body of the request was read before. Verify first, or pass the raw bytes.",
  signature_mismatch:
    "The signature is of another body or another secret. Pass the raw bytes, and this subscription's secret.",
  too_old: "The secret is right, but the request is too old: it is replayed, or your clock is ahead.",
  too_new: "The secret is right, but the request is from the future: your clock is behind.",
  not_json: "The signature is right, but the body is not JSON."
} as const

/** What was wrong. After `too_old` and later ones the secret is known to be right. */
export type VerificationCheck = keyof typeof advice

export class WebhookVerificationError extends Error {
  override readonly name = "WebhookVerificationError"
  readonly check: VerificationCheck

  constructor(check: VerificationCheck) {
    super(advice[check])
    this.check = check
  }
}

const fail = (check: VerificationCheck): never => {
  throw new WebhookVerificationError(check)
}

/** The first value of a header; undefined without one. */
export const headerOf = (headers: HeadersLike, name: string): string | undefined => {
  if (headers instanceof Headers) return headers.get(name) ?? undefined
  const [, value] = Object.entries(headers).find(([key]) => key.toLowerCase() === name) ?? []
  return typeof value === "string" || value === undefined ? value : value[0]
}

const bytesOf = async (input: SignedRequest): Promise<Uint8Array<ArrayBuffer>> => {
  if (input instanceof Request) {
    if (input.bodyUsed) return fail("body_used")
    return new Uint8Array(await input.clone().arrayBuffer())
  }
  const body: unknown = input.body
  if (typeof body === "string") return new TextEncoder().encode(body)
  return body instanceof Uint8Array ? new Uint8Array(body) : fail("body_parsed")
}

const fromHex = (hex: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))

const joined = (body: Uint8Array, suffix: string): Uint8Array<ArrayBuffer> => {
  const end = new TextEncoder().encode(suffix)
  const message = new Uint8Array(body.length + end.length)
  message.set(body)
  message.set(end, body.length)
  return message
}

/** Whether one of the secrets made one of the signatures. */
const isSigned = async (
  message: Uint8Array<ArrayBuffer>,
  secrets: ReadonlyArray<string>,
  hexes: ReadonlyArray<string>
): Promise<boolean> => {
  for (const secret of secrets) {
    const hmac = { name: "HMAC", hash: "SHA-256" }
    const key = await crypto.subtle.importKey("raw", new TextEncoder().encode(secret), hmac, false, ["verify"])
    for (const hex of hexes) if (await crypto.subtle.verify("HMAC", key, fromHex(hex), message)) return true
  }
  return false
}

/** Returns the JSON document of a request that the platform signed. Fails with WebhookVerificationError. */
export const verified = async (
  input: SignedRequest,
  secrets: string | ReadonlyArray<string>,
  { format = "timestamped", now = Date.now, tolerance = tolerance_seconds }: VerifyOptions = {}
): Promise<unknown> => {
  const known = typeof secrets === "string" ? [secrets] : secrets
  if (known.length === 0 || known.some((secret) => !/^whsec_\S+$/.test(secret))) fail("secret_malformed")
  const header = headerOf(input.headers, "x-service-signature") ?? fail("header_missing")
  const signature = parseSignatureHeader(header) ?? fail("header_malformed")
  if (signature.format !== format) fail("format_refused")
  const body = await bytesOf(input)
  const [message, hexes] =
    signature.format === "body_hex"
      ? [body, [signature.hex]]
      : [joined(body, timestampSuffix(signature.t)), signature.v1]
  if (!(await isSigned(message, known, hexes))) fail("signature_mismatch")
  const age = signature.format === "body_hex" ? 0 : now() / 1000 - signature.t
  if (age > tolerance) fail("too_old")
  if (age < -tolerance) fail("too_new")
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body))
  } catch {
    return fail("not_json")
  }
}
