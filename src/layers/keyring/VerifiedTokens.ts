import type { ApiKeyClaims } from "../../domain/access/ApiKeyClaims.ts"

const max_age_ms = 60_000

interface Verified {
  readonly claims: ApiKeyClaims
  /** Epoch milliseconds. */
  readonly stale_at: number
}

/**
 * Caches tokens for a minute after verification, so that most requests skip the signature check. After a minute a
 * removed signing key no longer counts.
 *
 * Two generations bound the memory. When the young generation is full it becomes the old one, and the former old one is
 * dropped; a token that is used moves back to the young generation. At most twice `capacity` tokens are held. Unlike an
 * LRU list, a hit in the young generation writes nothing.
 */
export class VerifiedTokens {
  #young = new Map<string, Verified>()
  #old = new Map<string, Verified>()
  readonly #capacity: number

  constructor(capacity: number) {
    this.#capacity = capacity
  }

  /** Returns the claims of a cached token that has not expired. */
  get(token: string, now_ms: number): ApiKeyClaims | undefined {
    const young = this.#young.get(token)
    const verified = young ?? this.#old.get(token)
    if (verified === undefined || now_ms >= verified.stale_at) return undefined
    if (young === undefined) this.#put(token, verified)
    return verified.claims
  }

  /** Whether the token was verified before, however long ago. Tokens that are not used are forgotten. */
  knows(token: string): boolean {
    return this.#young.has(token) || this.#old.has(token)
  }

  /** Whether the token was verified before and has expired since. No other check of it is needed. */
  hasExpired(token: string, now_ms: number): boolean {
    const verified = this.#young.get(token) ?? this.#old.get(token)
    return verified !== undefined && now_ms >= verified.claims.exp * 1000
  }

  /** Adds a token, which may have expired. Call it only after checking signature and claims. */
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
