// What a workspace is warned about: first calls abroad, bursts, failures and a reached spend limit (docs/webhooks.md).
// The wallet sees all dials in one order, so it decides the alerts with them, and stores both together.
import { Schema } from "effect"
import type { CallId } from "../BrandedIds.ts"
import { Count, EpochMs, optional } from "../kit/Fields.ts"
import type { KnownDestinations } from "./NewDestinations.ts"

/** The limits of the calling policy that show a burst at once. The others are reached in ordinary use, too. */
export const BurstLimit = Schema.Literals([
  "max_calls_to_new_country",
  "max_calls_per_hour_on_first_day",
  "max_calls_per_destination_per_hour",
  "max_concurrent_high_risk_calls"
])
export const isBurstLimit = Schema.is(BurstLimit)

/** Why a call was refused before it was placed. `other`: a limit or a rule that is no alert by itself. */
export const RefusalReason = Schema.Literals([...BurstLimit.literals, "daily_spend_limit_minor", "other"])
export type RefusalReason = typeof RefusalReason.Type

const alerted = {
  call_burst: optional(EpochMs),
  calls_failing: optional(EpochMs),
  spend_limit_reached: optional(EpochMs)
}
type Kind = keyof typeof alerted

/** What the alerts are decided by. It is stored with the wallet. */
export const CallActivity = Schema.Struct({
  /** The legs of the current hour, and how many the busiest of the earlier hours had; the latter fades. */
  hour: optional(Schema.Struct({ since: EpochMs, calls: Count, usual: Count })),
  /** The legs and refusals of the current ten minutes, and how many of them failed. */
  attempts: optional(Schema.Struct({ since: EpochMs, all: Count, failed: Count })),
  /** When each was last alerted. */
  alerted: optional(Schema.Struct(alerted))
})
export type CallActivity = typeof CallActivity.Type

interface Counted {
  readonly since: number
}

/** Members of the payload of the webhook event of this kind. Instants are Unix times in milliseconds. */
export type SecurityAlert =
  | {
      readonly kind: "security.first_international_call" | "security.new_country_called"
      readonly country: string
      readonly call_id: CallId
    }
  | (Counted & {
      readonly kind: "security.call_burst"
      readonly reason: "many_calls" | typeof BurstLimit.Type
      readonly calls: number
    })
  | (Counted & { readonly kind: "security.calls_failing"; readonly attempts: number; readonly failures: number })
  | {
      readonly kind: "security.spend_limit_reached"
      readonly daily_spend_limit_minor: number
      readonly spent_minor: number
      readonly held_minor: number
    }
  /** The last charge that is given back today because a voice callback failed. */
  | { readonly kind: "security.callback_waivers_used_up"; readonly calls: number }

const hour_ms = 3_600_000
const day_ms = 24 * hour_ms
const attempts_ms = 600_000
/** An hour with this many legs, and this many times those of the busiest hour before, is a burst. */
const burst = { calls: 60, times_usual: 5 } as const
/** What remains of the busiest hour after each hour: half of it after six days. */
const fading = 0.995
/** So many failures in ten minutes are alerted, if they are at least half of all attempts. */
const failing = { failures: 20, share: 0.5 } as const

/** A clock that was set back does not end a window: it only lasts longer. */
const isOver = (since: number, lasts_ms: number, now: number): boolean => now >= since + lasts_ms

const hourOf = ({ hour }: CallActivity, now: number): NonNullable<CallActivity["hour"]> => {
  if (hour === undefined) return { since: now, calls: 0, usual: 0 }
  const { calls, since, usual } = hour
  if (!isOver(since, hour_ms, now)) return hour
  const hours = Math.floor((now - since) / hour_ms)
  return { since: now, calls: 0, usual: Math.floor(Math.max(calls, usual) * fading ** (hours - 1)) }
}

const attemptsOf = ({ attempts }: CallActivity, now: number): NonNullable<CallActivity["attempts"]> =>
  attempts === undefined || isOver(attempts.since, attempts_ms, now) ? { since: now, all: 0, failed: 0 } : attempts

/** Counts legs that are placed. */
export const afterLegs = (activity: CallActivity, legs: number, now: number): CallActivity => {
  const hour = hourOf(activity, now)
  const attempts = attemptsOf(activity, now)
  return {
    ...activity,
    hour: { ...hour, calls: hour.calls + legs },
    attempts: { ...attempts, all: attempts.all + legs }
  }
}

/** Counts the failure of a leg that was counted as an attempt when it was placed. */
export const afterFailure = (activity: CallActivity, now: number): CallActivity => {
  const { failed, ...attempts } = attemptsOf(activity, now)
  // A leg of the window before counts as an attempt of this one, so that failures never outnumber attempts.
  return { ...activity, attempts: { ...attempts, all: Math.max(attempts.all, failed + 1), failed: failed + 1 } }
}

/** Counts a leg that was refused as an attempt that failed. */
export const afterRefusal = (activity: CallActivity, now: number): CallActivity => {
  const attempts = attemptsOf(activity, now)
  return { ...activity, attempts: { ...attempts, all: attempts.all + 1, failed: attempts.failed + 1 } }
}

/** The alerts that are decided by when they were last sent. */
const alertKindOf: Readonly<Partial<Record<SecurityAlert["kind"], Kind>>> = {
  "security.call_burst": "call_burst",
  "security.calls_failing": "calls_failing",
  "security.spend_limit_reached": "spend_limit_reached"
}

/** Stores when an alert was sent, so that the same one is not sent again for a time. */
export const afterAlert = (activity: CallActivity, { kind }: SecurityAlert, now: number): CallActivity => {
  const name = alertKindOf[kind]
  return name === undefined ? activity : { ...activity, alerted: { ...activity.alerted, [name]: now } }
}

/** Whether an alert of this kind was sent within the hour. */
const isAlerted = ({ alerted = {} }: CallActivity, kind: Kind, now: number): boolean =>
  !isOver(alerted[kind] ?? -Infinity, hour_ms, now)

const burstAlerts = (activity: CallActivity, legs: number, now: number): ReadonlyArray<SecurityAlert> => {
  const { calls: before, since, usual } = hourOf(activity, now)
  const calls = before + legs
  if (calls < Math.max(burst.calls, burst.times_usual * usual) || isAlerted(activity, "call_burst", now)) return []
  return [{ kind: "security.call_burst", reason: "many_calls", calls, since }]
}

const failureAlerts = (activity: CallActivity, now: number): ReadonlyArray<SecurityAlert> => {
  const { all, failed, since } = attemptsOf(activity, now)
  const isMany = failed >= failing.failures && failed >= all * failing.share
  if (!isMany || isAlerted(activity, "calls_failing", now)) return []
  return [{ kind: "security.calls_failing", attempts: all, failures: failed, since }]
}

/** The alerts of legs that a decision places. A country is announced once for ever. */
export const alertsOfLegs = (
  known: KnownDestinations,
  activity: CallActivity,
  {
    abroad,
    call_id,
    legs
  }: { readonly abroad: ReadonlyArray<string>; readonly call_id: CallId; readonly legs: number },
  now: number
): ReadonlyArray<SecurityAlert> => {
  // Most legs stay in their country.
  if (abroad.length === 0) return burstAlerts(activity, legs, now)
  const { countries = {} } = known
  const unknown = [...new Set(abroad)].filter((country) => countries[country] === undefined)
  const [first] = Object.keys(countries).length === 0 ? unknown : []
  return [
    ...(first === undefined ? [] : [{ kind: "security.first_international_call", country: first, call_id } as const]),
    ...unknown.map((country) => ({ kind: "security.new_country_called", country, call_id }) as const),
    ...burstAlerts(activity, legs, now)
  ]
}

/** The alerts when a leg has failed. */
export const alertsOfFailure = (activity: CallActivity, now: number): ReadonlyArray<SecurityAlert> =>
  failureAlerts(afterFailure(activity, now), now)

/** Why and with what a leg was refused. Amounts in minor units. */
export interface RefusedLeg {
  readonly reason: RefusalReason
  readonly daily_spend_limit_minor: number
  readonly spent_minor: number
  readonly held_minor: number
}

/** The alerts when a leg is refused. A reached spend limit is announced once a day (UTC). */
export const alertsOfRefusal = (
  activity: CallActivity,
  { reason, ...money }: RefusedLeg,
  now: number
): ReadonlyArray<SecurityAlert> => {
  const alerts = [...failureAlerts(afterRefusal(activity, now), now)]
  if (isBurstLimit(reason) && !isAlerted(activity, "call_burst", now)) {
    const { calls, since } = hourOf(activity, now)
    alerts.push({ kind: "security.call_burst", reason, calls, since })
  }
  const spend_alerted = activity.alerted?.spend_limit_reached ?? -Infinity
  if (reason === "daily_spend_limit_minor" && Math.floor(spend_alerted / day_ms) < Math.floor(now / day_ms))
    alerts.push({ kind: "security.spend_limit_reached", ...money })
  return alerts
}
