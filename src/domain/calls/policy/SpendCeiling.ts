// What calls may cost in a day: the limit of new workspaces, and the highest one that an operator allows.
import type { Currency } from "../../wallet/Currency.ts"
import type { CallingPolicy, CallingPolicyChange } from "./CallingPolicy.ts"

/** Minor units by currency. A currency that is absent has no limit. */
export type SpendCeilings = ReadonlyMap<Currency, number>

/** About 100 US dollars. */
export const defaultDailySpend_minor: SpendCeilings = new Map<Currency, number>([
  ["KES", 1_300_000],
  ["UGX", 37_000_000],
  ["TZS", 26_000_000],
  ["RWF", 14_500_000],
  ["ZAR", 180_000],
  ["GHS", 120_000],
  ["NGN", 15_000_000]
])

const timesOfDefault = 10

/** What calls of any workspace may cost in a day in production, about 1,000 US dollars, unless an operator sets it. */
export const defaultMaxDailySpend_minor: SpendCeilings = new Map(
  [...defaultDailySpend_minor].map(([currency, minor]) => [currency, timesOfDefault * minor])
)

/** The limit that applies: that of the policy, but never above the ceiling. Null: none. */
export const dailySpendLimit = (
  { daily_spend_limit_minor }: Pick<CallingPolicy, "daily_spend_limit_minor">,
  ceiling_minor: number | undefined
): number | null => {
  if (ceiling_minor === undefined) return daily_spend_limit_minor
  return daily_spend_limit_minor === null ? ceiling_minor : Math.min(daily_spend_limit_minor, ceiling_minor)
}

/** Whether a change of the policy asks for more than the ceiling. */
export const exceedsCeiling = (
  { daily_spend_limit_minor: asked_minor }: CallingPolicyChange,
  ceiling_minor: number | undefined
): boolean =>
  ceiling_minor !== undefined && asked_minor !== undefined && (asked_minor === null || asked_minor > ceiling_minor)

/** The limits that a new workspace begins with, besides the defaults of the policy. Its admins may change them. */
export const policyOfNewWorkspace = (
  currency: Currency,
  { ceilings, daily_spend_minor }: { readonly daily_spend_minor: SpendCeilings; readonly ceilings: SpendCeilings }
): CallingPolicyChange => ({
  daily_spend_limit_minor: dailySpendLimit(
    { daily_spend_limit_minor: daily_spend_minor.get(currency) ?? null },
    ceilings.get(currency)
  ),
  max_calls_to_new_country: 5,
  max_calls_per_hour_on_first_day: 100,
  max_concurrent_high_risk_calls: 2
})
