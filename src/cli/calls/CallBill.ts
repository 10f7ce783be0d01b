// What a call cost, in words.
import type { CallRecord, ChargeProof } from "../../client/Client.ts"
import { money } from "../Output.ts"

export const endedStatuses: ReadonlySet<string> = new Set(["completed", "no_answer", "busy", "failed", "canceled"])

const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? "" : "s"}`

/** `65 s, 2 started minutes`. */
export const lengthOf = (duration_seconds: number, billed_seconds: number): string =>
  `${duration_seconds} s, ${counted(Math.ceil(billed_seconds / 60), "started minute")}`

type Price = Pick<CallRecord, "currency" | "rate_per_min_minor">

export const priceOf = ({ currency, rate_per_min_minor: rate }: Price): string => `${money(currency, rate)} a minute`

export const billLines = (
  { currency, parent_call_id, rate_per_min_minor }: CallRecord,
  { billed_seconds, cost_minor, duration_seconds, entries, holds, rate }: ChargeProof
): ReadonlyArray<string> => {
  const source = rate.matched_prefix === null ? "the price of the number" : `the rate of +${rate.matched_prefix}`
  const price = `${priceOf({ currency, rate_per_min_minor })} (${source})`
  if (cost_minor === null) {
    const held = holds.reduce((sum, { amount_minor }) => sum + amount_minor, 0)
    return [`Bill  not yet: ${price}, ${money(currency, held)} set aside`]
  }
  if (duration_seconds === null || billed_seconds === null)
    return [`Bill  ${money(currency, cost_minor)}: not answered`]
  const [charge] = entries
  const left = charge === undefined ? "" : `, ${money(currency, charge.balance_after_minor)} left`
  const own = parent_call_id === null ? "" : " of this leg"
  return [
    `Bill  ${lengthOf(duration_seconds, billed_seconds)} at ${price}`,
    `      ${money(currency, cost_minor)} charged${own}${left}`
  ]
}
