// Rates by prefix, in memory: every call looks one up.
import type { OwnedNumber } from "./OwnedNumber.ts"
import type { Rate } from "./Rate.ts"

export interface RateRow extends Rate {
  readonly currency: string
  readonly direction: string
  /** Epoch milliseconds. */
  readonly effective_from: number
  /** Epoch milliseconds, exclusive; null: no end. */
  readonly effective_to: number | null
}

/** Digits of the longest E.164 number. */
const maxDigits = 15

/** Calls over a workspace's own trunk have separate rates. */
const nameOf = (currency: string, direction: string, byo: boolean): string =>
  `${currency} ${direction}${byo ? " byo" : ""}`

export class RateDeck {
  private readonly decks = new Map<string, Map<string, Array<RateRow>>>()

  constructor(rows: Iterable<RateRow> = []) {
    this.add(rows)
  }

  /** A deck has more rates than may be added without a pause. */
  add(rows: Iterable<RateRow>): void {
    for (const row of rows) {
      const name = nameOf(row.currency, row.direction, row.class === "byo")
      const deck = this.decks.get(name) ?? new Map<string, Array<RateRow>>()
      this.decks.set(name, deck)
      const sharing = deck.get(row.prefix) ?? []
      deck.set(row.prefix, sharing)
      sharing.push(row)
      if (sharing.length > 1) sharing.sort((a, b) => b.effective_from - a.effective_from)
    }
  }

  /**
   * The rate of the longest prefix that has one in force at `at` (epoch milliseconds); of several, the latest.
   * Undefined: no prefix matches.
   */
  find(
    currency: string,
    direction: string,
    digits: string,
    at: number,
    source: OwnedNumber["source"] = "platform"
  ): Rate | undefined {
    const deck = this.decks.get(nameOf(currency, direction, source === "byo"))
    if (deck === undefined) return undefined
    for (let length = Math.min(maxDigits, digits.length); length > 0; length--) {
      const row = deck
        .get(digits.slice(0, length))
        ?.find(
          ({ effective_from, effective_to }) => effective_from <= at && (effective_to === null || effective_to > at)
        )
      if (row !== undefined) return { prefix: row.prefix, per_min_minor: row.per_min_minor, class: row.class }
    }
    return undefined
  }
}
