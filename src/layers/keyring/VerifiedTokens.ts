import type { ApiKeyClaims } from "../../domain/access/ApiKeyClaims.ts"

const max_age_ms = 60_000

interface Verified {
  readonly claims: ApiKeyClaims
  /** Epoch milliseconds. */
  readonly stale_at: number
}

/**
 * The tokens that passed verification within the last minute, so that a request costs a look-up and not a
 * signature check. A minute, so that a signing key that was taken out soon counts for nothing.
 *
 * Two generations bound the memory: when the young one is full it becomes the old one, and what the old one
 * held is forgotten unless it was asked for since. At most twice `capacity` tokens are held, and a hit writes
 * nothing, where a list in order of use would.
 */
export class VerifiedTokens {
  #young = new Map<string, Verified>()
  #old = new Map<string, Verified>()
  readonly #capacity: number

  constructor(capacity: number) {
    this.#capacity = capacity
  }

  /** The claims of a token that was good when `add` was told of it and has not expired since. */
  get(token: string, now_ms: number): ApiKeyClaims | undefined {
    const young = this.#young.get(token)
    const verified = young ?? this.#old.get(token)
    if (verified === undefined || now_ms >= verified.stale_at) return undefined
    if (young === undefined) this.#put(token, verified)
    return verified.claims
  }

  /** Only for a token whose signature and claims were checked. */
  add(token: string, claims: ApiKeyClaims, now_ms: number): void {
    this.#put(token, { claims, stale_at: Math.min(claims.exp * 1000, now_ms + max_age_ms) })
  }

  #put(token: string, verified: Verified): void {
    if (this.#young.size >= this.#capacity) {
      this.#old = this.#young
      this.#young = new Map()
    }
    this.#young.set(token, verified)
  }
}
