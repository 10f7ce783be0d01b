// A calling policy as its form has it, and the change that it becomes. Empty limits are none.
import type { CallingPolicy } from "../../api/Types.ts"
import { valuesOf } from "../../ui/Choices.tsx"

type Limit =
  | "max_concurrent_calls"
  | "calls_per_second"
  | "max_calls_per_destination_per_hour"
  | "max_calls_to_new_country"
  | "max_calls_per_hour_on_first_day"
  | "max_concurrent_high_risk_calls"

export const limits: ReadonlyArray<readonly [Limit, label: string, needed: boolean]> = [
  ["max_concurrent_calls", "Calls at once", true],
  ["calls_per_second", "New calls a second", true],
  ["max_calls_per_destination_per_hour", "Calls to one number an hour", false],
  ["max_calls_to_new_country", "Calls to a new country in its first hour", false],
  ["max_calls_per_hour_on_first_day", "Calls an hour on the first day", false],
  ["max_concurrent_high_risk_calls", "Risky calls at once", false]
]

export interface PolicyDraft {
  readonly countries: string
  readonly prefixes: string
  readonly sip: string
  readonly caller_ids: string
  readonly allow_high_risk: boolean
  /** In units of the currency, with two decimals. */
  readonly spend: string
  readonly rate: string
  readonly limits: Readonly<Record<Limit, string>>
}

const textOf = (value: number | null): string => (value === null ? "" : String(value))
const amountOf = (minor: number | null): string => (minor === null ? "" : (minor / 100).toFixed(2))
const numberOf = (text: string): number | null => (text.trim() === "" ? null : Number(text))
const minorOf = (text: string): number | null => (text.trim() === "" ? null : Math.round(Number(text) * 100))

export const draftOf = (policy: CallingPolicy): PolicyDraft => ({
  countries: policy.allowed_countries.join(", "),
  prefixes: policy.blocked_prefixes.join(", "),
  sip: policy.sip_allowlist.join(", "),
  caller_ids: policy.allowed_caller_ids.join(", "),
  allow_high_risk: policy.allow_high_risk,
  spend: amountOf(policy.daily_spend_limit_minor),
  rate: amountOf(policy.max_rate_per_min_minor),
  limits: {
    max_concurrent_calls: textOf(policy.max_concurrent_calls),
    calls_per_second: textOf(policy.calls_per_second),
    max_calls_per_destination_per_hour: textOf(policy.max_calls_per_destination_per_hour),
    max_calls_to_new_country: textOf(policy.max_calls_to_new_country),
    max_calls_per_hour_on_first_day: textOf(policy.max_calls_per_hour_on_first_day),
    max_concurrent_high_risk_calls: textOf(policy.max_concurrent_high_risk_calls)
  }
})

/** Only what differs from `policy`, so that a change by somebody else in the meantime stays. */
export const changeOf = (draft: PolicyDraft, policy: CallingPolicy): Partial<CallingPolicy> => {
  const whole: Readonly<Record<string, unknown>> = {
    allowed_countries: valuesOf(draft.countries.toUpperCase()),
    blocked_prefixes: valuesOf(draft.prefixes.replaceAll("+", "")),
    sip_allowlist: valuesOf(draft.sip.toLowerCase()),
    allowed_caller_ids: valuesOf(draft.caller_ids),
    allow_high_risk: draft.allow_high_risk,
    daily_spend_limit_minor: minorOf(draft.spend),
    max_rate_per_min_minor: minorOf(draft.rate),
    ...Object.fromEntries(limits.map(([name]) => [name, numberOf(draft.limits[name])]))
  }
  const before: Readonly<Record<string, unknown>> = { ...policy }
  return Object.fromEntries(
    Object.entries(whole).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name]))
  )
}
