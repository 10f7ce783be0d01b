// Why a signature does not match, by trying the mistakes that people make. Pure but for WebCrypto, and in the browser
// alone: neither the secret nor the request leaves it.
import { verified, WebhookVerificationError } from "../../../../src/client/WebhookVerification.ts"

export interface PastedRequest {
  /** The value of X-Service-Signature. */
  readonly signature: string
  /** The body as it came. */
  readonly body: string
  readonly secret: string
  /** What the receiver's program computed, in hex; empty if that is not known. */
  readonly computed: string
}

export interface Finding {
  readonly good: boolean
  /** One sentence that says what is. */
  readonly what: string
  /** One that says what to do; empty if nothing. */
  readonly advice: string
}

type Bytes = Uint8Array<ArrayBuffer>
const bytesOf = (text: string): Bytes => new TextEncoder().encode(text)

const hmac = async (key: Bytes, message: string): Promise<string> => {
  const algorithm = { name: "HMAC", hash: "SHA-256" }
  const imported = await crypto.subtle.importKey("raw", key, algorithm, false, ["sign"])
  const signed = new Uint8Array(await crypto.subtle.sign("HMAC", imported, bytesOf(message)))
  return [...signed].map((byte) => byte.toString(16).padStart(2, "0")).join("")
}

interface Guess {
  readonly what: string
  readonly advice: string
}

interface Guessed<A> extends Guess {
  readonly value: A
}

/** The body with one JSON value, written the way that parsers and formatters write it. */
const reserialised = (body: string, indent: number | undefined): string | undefined => {
  try {
    return JSON.stringify(JSON.parse(body), null, indent)
  } catch {
    return undefined
  }
}

const rawBytes = "Sign the bytes of the body as they came, before anything parses them."

/** Bodies that the pasted one may have been before it was changed. */
const otherBodies = (body: string): ReadonlyArray<Guessed<string>> => {
  const compact = reserialised(body, undefined)
  return [
    { value: body.trimEnd(), what: "The body has blanks or a line break at its end.", advice: rawBytes },
    { value: body.replaceAll("\r\n", "\n"), what: "Line breaks of the body were changed.", advice: rawBytes },
    { value: body.replace(/^\uFEFF/, ""), what: "The body begins with a byte order mark.", advice: rawBytes },
    ...(compact === undefined
      ? []
      : [{ value: compact, what: "The body was parsed and written again: its spaces are others.", advice: rawBytes }])
  ]
}

const decoded = (secret: string): Bytes | undefined => {
  try {
    return Uint8Array.from(atob(secret.replace(/^whsec_/, "")), (character) => character.charCodeAt(0))
  } catch {
    return undefined
  }
}

const wholeSecret = "The key is the whole text of the secret, with whsec_ at its beginning."

/** Keys that a program may have used in place of the secret. */
const otherKeys = (secret: string): ReadonlyArray<Guessed<Bytes>> => {
  const binary = decoded(secret)
  return [
    {
      value: bytesOf(secret.replace(/^whsec_/, "")),
      what: "Your program leaves whsec_ out of the key.",
      advice: wholeSecret
    },
    ...(binary === undefined
      ? []
      : [{ value: binary, what: "Your program decodes the secret from base64.", advice: wholeSecret }]),
    { value: bytesOf(`${secret}\n`), what: "Your program's secret ends in a line break.", advice: wholeSecret }
  ]
}

/** Texts that a program may have signed in place of the body, a dot and the time. */
const otherMessages = (body: string, time: string): ReadonlyArray<Guessed<string>> => {
  const bodyFirst = "The body comes first, then a dot, then the time."
  const compact = reserialised(body, undefined)
  const indented = reserialised(body, 2)
  return [
    { value: `${time}.${body}`, what: "Your program signs the time before the body.", advice: bodyFirst },
    { value: body, what: "Your program signs the body without the time.", advice: bodyFirst },
    { value: `${body}${time}`, what: "Your program leaves out the dot before the time.", advice: bodyFirst },
    ...[compact, indented].flatMap((text) =>
      text === undefined || text === body
        ? []
        : [
            {
              value: `${text}.${time}`,
              what: "Your program signs JSON that was parsed and written again.",
              advice: rawBytes
            }
          ]
    )
  ]
}

const timeOf = (signature: string): string => /(?:^|,)\s*t=(\d{1,12})/.exec(signature)?.[1] ?? ""
const isHexOnly = (signature: string): boolean => /^[\da-f]{64}$/.test(signature.trim())

const firstMatch = async <A>(
  guesses: ReadonlyArray<Guessed<A>>,
  wanted: ReadonlyArray<string>,
  sign: (value: A) => Promise<string>
): Promise<Guess | undefined> => {
  for (const guess of guesses) if (wanted.includes(await sign(guess.value))) return guess
  return undefined
}

/** The mistake by which the receiver's program came to what it computed. */
const mistakeOf = async ({ body, computed, secret, signature }: PastedRequest): Promise<Guess | undefined> => {
  const time = timeOf(signature)
  const wanted = [computed.trim().toLowerCase()]
  const message = isHexOnly(signature) ? body : `${body}.${time}`
  const ofMessage = await firstMatch(otherMessages(body, time), wanted, (value) => hmac(bytesOf(secret), value))
  return ofMessage ?? (await firstMatch(otherKeys(secret), wanted, (value) => hmac(value, message)))
}

/** How the pasted body differs from the signed one. */
const changeOf = async ({ body, secret, signature }: PastedRequest): Promise<Guess | undefined> => {
  const wanted = signature.match(/[\da-f]{64}/g) ?? []
  const time = timeOf(signature)
  const suffix = isHexOnly(signature) ? "" : `.${time}`
  return firstMatch(otherBodies(body), wanted, (value) => hmac(bytesOf(secret), value + suffix))
}

const checked = async (request: PastedRequest, now: () => number): Promise<Finding> => {
  const format = isHexOnly(request.signature) ? "body_hex" : "timestamped"
  const headers = { "x-service-signature": request.signature }
  await verified({ headers, body: request.body }, request.secret, { format, now })
  return { good: true, what: "The signature is right.", advice: "" }
}

/** Says whether the request is signed by the secret, and if not, why. */
export const findMistake = async (pasted: PastedRequest, now = Date.now): Promise<Finding> => {
  const request = { ...pasted, signature: pasted.signature.trim(), secret: pasted.secret.trim() }
  const failed = (guess: Guess): Finding => ({ good: false, what: guess.what, advice: guess.advice })
  const ofProgram = request.computed.trim() === "" ? undefined : await mistakeOf(request)
  try {
    const finding = await checked(request, now)
    return ofProgram === undefined ? finding : failed(ofProgram)
  } catch (error) {
    if (!(error instanceof WebhookVerificationError)) throw error
    if (error.check === "signature_mismatch") {
      const change = ofProgram ?? (await changeOf(request))
      if (change !== undefined) return failed(change)
    }
    if (error.check === "too_old" && ofProgram === undefined) {
      return {
        good: true,
        what: "The signature is right, but it is older than five minutes.",
        advice: "A receiver refuses it now. That is meant for requests that somebody sends again."
      }
    }
    return ofProgram === undefined ? { good: false, what: error.message, advice: "" } : failed(ofProgram)
  }
}
