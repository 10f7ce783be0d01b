// Card payments that are so new that their owner may still dispute them (docs/topups.md, "High-risk calls"). The
// oldest money of a wallet is spent first, so what is left of it is fresh up to the sum of the fresh payments. Amounts
// are minor units, instants epoch milliseconds.
import { Schema } from "effect"
import { EpochMs, Minor } from "../kit/Fields.ts"

/** Payments that stop being fresh at the same time. */
export const FreshMoney = Schema.Struct({ until: EpochMs, amount_minor: Minor })
export type FreshMoney = typeof FreshMoney.Type

const day_ms = 86_400_000

const isFresh =
  (now: number) =>
  ({ until }: FreshMoney): boolean =>
    until > now

/** How much is fresh at `now`. */
export const freshSum = (fresh: ReadonlyArray<FreshMoney>, now: number): number =>
  fresh.filter(isFresh(now)).reduce((sum, { amount_minor }) => sum + amount_minor, 0)

/**
 * Adds a payment that is fresh until `until`. The payments of a day are one entry, with the latest end, so there are
 * never more entries than days.
 */
export const addFresh = (
  fresh: ReadonlyArray<FreshMoney>,
  amount_minor: number,
  until: number,
  now: number
): ReadonlyArray<FreshMoney> => {
  if (until <= now) return fresh
  const day = Math.floor(until / day_ms)
  const added = fresh
    .filter(isFresh(now))
    .reduce(
      (sum, entry) =>
        Math.floor(entry.until / day_ms) === day
          ? { until: Math.max(sum.until, entry.until), amount_minor: sum.amount_minor + entry.amount_minor }
          : sum,
      { until, amount_minor }
    )
  const others = fresh.filter((entry) => isFresh(now)(entry) && Math.floor(entry.until / day_ms) !== day)
  return [...others, added].toSorted((one, another) => one.until - another.until)
}

/** What is left when a card payment is taken back. It is counted as the newest one. */
export const takeFresh = (fresh: ReadonlyArray<FreshMoney>, amount_minor: number): ReadonlyArray<FreshMoney> => {
  let left = amount_minor
  return fresh
    .toReversed()
    .flatMap((entry) => {
      const taken = Math.min(left, entry.amount_minor)
      left -= taken
      return taken === entry.amount_minor ? [] : [{ ...entry, amount_minor: entry.amount_minor - taken }]
    })
    .toReversed()
}
