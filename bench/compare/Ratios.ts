// What pairs of windows say about two checkouts. The ratio of a pair leaves out what the rest of the machine did, for
// both windows of a pair met the same; the median leaves out pairs in which it did something to one window alone.
import { median } from "../Row.ts"

export interface Interval {
  readonly low: number
  readonly high: number
}

const confidence = 0.95

/**
 * How many values the interval leaves out at each end, of `count` in order. A value is above the true median with a
 * chance of one half, so the binomial distribution gives the ranks, whatever the values are. Undefined if the values
 * are too few: even all of them hold the median with less than the wanted confidence.
 */
const leftOut = (count: number): number | undefined => {
  let chance = 0.5 ** count
  let below = 0
  for (let rank = 0; rank < count / 2; rank++) {
    below += chance
    if (2 * below > 1 - confidence) return rank === 0 ? undefined : rank - 1
    chance *= (count - rank) / (rank + 1)
  }
  return undefined
}

/** Holds the median of the distribution in at least 95 of 100 cases. Undefined for fewer than six values. */
export const medianInterval = (values: ReadonlyArray<number>): Interval | undefined => {
  const rank = leftOut(values.length)
  if (rank === undefined) return undefined
  const sorted = [...values].sort((a, b) => a - b)
  return { low: sorted[rank]!, high: sorted[values.length - 1 - rank]! }
}

export type Verdict = "dearer" | "within" | "undecided"

/**
 * `dearer`: even the lower bound of the ratio is above the limit. `within`: even the upper bound is not, or the median
 * is closer to an equal cost than to the limit, so that more pairs would hardly raise the lower bound above it.
 */
export const verdictOf = (ratios: ReadonlyArray<number>, limit: number): Verdict => {
  const interval = medianInterval(ratios)
  if (interval === undefined) return "undecided"
  if (interval.low > limit) return "dearer"
  return interval.high <= limit || median(ratios) <= (1 + limit) / 2 ? "within" : "undecided"
}

/** One figure of a window of each checkout. */
export interface Pair {
  readonly before: number
  readonly now: number
}

/** A pair of two zeros is equal. A pair in which only one is zero says nothing that a ratio can. */
export const ratiosOf = (pairs: ReadonlyArray<Pair>): ReadonlyArray<number> =>
  pairs.filter(({ before, now }) => before > 0 || now === 0).map(({ before, now }) => (before === 0 ? 1 : now / before))

export interface Comparison {
  /** Medians of the figure. */
  readonly before: number
  readonly now: number
  /** Median of the ratios of the pairs, which is not the ratio of the medians. */
  readonly ratio: number
  readonly interval: Interval | undefined
}

export const compared = (pairs: ReadonlyArray<Pair>): Comparison => {
  const ratios = ratiosOf(pairs)
  return {
    before: median(pairs.map(({ before }) => before)),
    now: median(pairs.map(({ now }) => now)),
    ratio: median(ratios),
    interval: medianInterval(ratios)
  }
}
