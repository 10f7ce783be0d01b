// What the client reads of its token. The engine verifies the token; the client needs to know who it is, and until
// when.

export interface TokenClaims {
  /** The user of the client's SIP address. */
  readonly username: string
  /** Where the token is valid, if it says so. */
  readonly endpoint: string | undefined
  /** Epoch milliseconds of this machine's clock. */
  readonly expires_at: number
  readonly incoming: boolean
  readonly outgoing: boolean
}

const invalid = () =>
  new TypeError("`token` is not a token of POST /v1/webrtc/token: pass its `token` member, as it is.")

const recordOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>) : {}

const payloadOf = (token: string): Readonly<Record<string, unknown>> => {
  const [, payload = ""] = token.split(".")
  const bytes = Uint8Array.from(atob(payload.replaceAll("-", "+").replaceAll("_", "/")), (char) => char.charCodeAt(0))
  return recordOf(JSON.parse(new TextDecoder().decode(bytes)))
}

/** How far clocks may differ before this machine's is taken to be wrong. */
const skew_seconds = 60

/**
 * When the token ends on this machine's clock, which may be wrong by hours: then the token, which is used as soon as it
 * is
 * made, was issued now.
 */
const expiryOf = (exp: number, iat: unknown, now: number): number => {
  if (typeof iat !== "number" || (now >= (iat - skew_seconds) * 1000 && now < exp * 1000)) return exp * 1000
  return now + (exp - iat) * 1000
}

/** `now` in epoch milliseconds. Throws a TypeError if the token is no JWT of the gate. */
export const claimsOf = (token: unknown, now: number): TokenClaims => {
  // It goes into the WebSocket's subprotocol, where other characters are errors.
  if (typeof token !== "string" || !/^[\w-]+\.[\w-]+\.[\w-]+$/.test(token)) throw invalid()
  try {
    const { allow, endpoint, exp, iat, sub } = payloadOf(token)
    if (typeof sub !== "string" || !/^[\w.~-]+$/.test(sub) || typeof exp !== "number") throw invalid()
    const { incoming, outgoing } = recordOf(allow)
    return {
      username: sub,
      endpoint: typeof endpoint === "string" ? endpoint : undefined,
      expires_at: expiryOf(exp, iat, now),
      incoming: incoming !== false,
      outgoing: outgoing !== false
    }
  } catch {
    throw invalid()
  }
}
