// Rates by prefix, ready to be asked for each call.
import type { OwnedNumber } from "./OwnedNumber.ts"
import type { Rate } from "./Rate.ts"

export interface RateRow extends Rate {
  readonly currency: string
  readonly direction: string
  /** Epoch milliseconds. */
  readonly effective_from: number
  /** Epoch milliseconds; null: until further notice. */
  readonly effective_to: number | null
}

/** No prefix is longer than a number (E.164). */
const longest = 15

/** Calls over a workspace's own trunk have decks of their own. */
const nameOf = (currency: string, direction: string, byo: boolean): string =>
  `${currency} ${direction}${byo ? " byo" : ""}`

export class RateDeck {
  private readonly decks = new Map<string, Map<string, Array<RateRow>>>()

  constructor(rows: Iterable<RateRow>) {
    for (const row of rows) {
      const name = nameOf(row.currency, row.direction, row.class === "byo")
      const deck = this.decks.get(name) ?? new Map<string, Array<RateRow>>()
      this.decks.set(name, deck)
      const sharing = deck.get(row.prefix) ?? []
      deck.set(row.prefix, sharing)
      sharing.push(row)
    }
    for (const deck of this.decks.values()) {
      for (const sharing of deck.values()) sharing.sort((a, b) => b.effective_from - a.effective_from)
    }
  }

  /** The longest prefix that has a rate in force at `at`; of its rates the latest. */
  find(
    currency: string,
    direction: string,
    digits: string,
    at: number,
    source: OwnedNumber["source"] = "platform"
  ): Rate | undefined {
    const deck = this.decks.get(nameOf(currency, direction, source === "byo"))
    if (deck === undefined) return undefined
    for (let length = Math.min(longest, digits.length); length > 0; length--) {
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
