// Limits how fast, how often and for how much money a workspace dials (docs/calling-policy.md). It is part of the wallet,
// because every leg needs a hold: so all dials are counted in one place and in one order.
import { HashMap, Option, Result } from "effect"
import { CallRateLimited, CallSpendLimitReached } from "../errors/CallErrors.ts"

type Times = HashMap.HashMap<string, ReadonlyArray<number>>

/** The recent dials of each destination, in two generations, so that destinations that are not dialled again are dropped. */
export interface Lately {
  readonly young: Times
  readonly old: Times
}

export interface Dialled {
  /** When all dials so far would have been placed at the allowed rate. In a burst it is ahead of the clock. */
  readonly paced_until: number
  /** The day of `spent_minor`, in UTC, counted from 1970. `spent_minor` is what calls were charged on that day. */
  readonly day: number
  readonly spent_minor: number
  /** Not stored with the wallet. It is read from the calls when the wallet is loaded. */
  readonly lately: Lately
}

/** The limits of the calling policy. Null: no limit. */
export interface DialLimits {
  readonly calls_per_second: number
  readonly max_calls_per_destination_per_hour: number | null
  readonly daily_spend_limit_minor: number | null
}

/** The legs that one hold is about to place. */
export interface Dialling {
  readonly to: ReadonlyArray<string>
  readonly limits: DialLimits
}

/** The legs that were placed. `to` is empty if destinations are not limited. */
export interface DialledNow {
  readonly to: ReadonlyArray<string>
  readonly paced_until: number
}

const second_ms = 1_000
const hour_ms = 3_600_000
const day_ms = 86_400_000
/** A burst may contain twice the calls of a second. */
const burst_ms = 2 * second_ms
/** The furthest that `paced_until` can be ahead. A dial has at most ten legs, at one call a second or more. */
const longest_ahead_ms = 60_000
/** The destinations of a generation. A workspace that dials more within an hour does not repeat the same ones. */
export const lately_max = 10_000
/** The dials that are kept for a destination: the largest limit of a policy (docs/calling-policy.md). */
const remembered_max = 1_000

const none: Times = HashMap.empty()

export const nothingDialled: Dialled = { paced_until: 0, day: 0, spent_minor: 0, lately: { young: none, old: none } }

const dayOf = (at: number): number => Math.floor(at / day_ms)

const withinHour = (times: ReadonlyArray<number>, now: number): ReadonlyArray<number> =>
  times.length > 0 && times[0]! <= now - hour_ms ? times.filter((at) => at > now - hour_ms) : times

const timesOf = (generation: Times, to: string): ReadonlyArray<number> =>
  Option.getOrElse(HashMap.get(generation, to), (): ReadonlyArray<number> => [])

const lastHour = ({ old, young }: Lately, to: string, now: number): ReadonlyArray<number> =>
  withinHour([...timesOf(old, to), ...timesOf(young, to)], now)

/** What calls were charged today, in UTC, in minor units. */
export const spentToday = ({ day, spent_minor }: Dialled, now: number): number => (day === dayOf(now) ? spent_minor : 0)

/** How far the dials are ahead of the allowed rate. 0 if the clock was set back. */
const ahead = ({ paced_until }: Dialled, now: number): number => {
  const ahead_ms = paced_until - now
  return ahead_ms <= 0 || ahead_ms > longest_ahead_ms ? 0 : ahead_ms
}

const inSeconds = (wait_ms: number): number => Math.max(1, Math.ceil(wait_ms / second_ms))

/** A dial is always allowed if none came shortly before; otherwise one with many legs could never be placed at a low rate. */
const tooFast = (dialled: Dialled, { limits, to }: Dialling, now: number): CallRateLimited | undefined => {
  const ahead_ms = ahead(dialled, now)
  const over_ms = ahead_ms + (to.length * second_ms) / limits.calls_per_second - burst_ms
  if (ahead_ms === 0 || over_ms <= 0) return undefined
  return new CallRateLimited({ reason: "calls_per_second", retry_after_seconds: inSeconds(over_ms) })
}

const tooOften = ({ lately }: Dialled, { limits, to }: Dialling, now: number): CallRateLimited | undefined => {
  const { max_calls_per_destination_per_hour: max } = limits
  if (max === null) return undefined
  for (const destination of to) {
    const times = lastHour(lately, destination, now)
    if (times.length < max) continue
    const free_at = (times[times.length - max] ?? now) + hour_ms
    return new CallRateLimited({
      reason: "max_calls_per_destination_per_hour",
      message: "The workspace has called this destination as often within an hour as its calling policy allows.",
      retry_after_seconds: inSeconds(free_at - now)
    })
  }
  return undefined
}

/** Held money counts as spent until it is released. */
const tooMuch = (
  dialled: Dialled,
  { limits }: Dialling,
  now: number,
  held_minor: number
): CallSpendLimitReached | undefined => {
  const { daily_spend_limit_minor: max } = limits
  return max !== null && spentToday(dialled, now) + held_minor > max ? new CallSpendLimitReached() : undefined
}

/** Whether the legs may be placed now. `held_minor` includes the hold for them. */
export const mayDial = (
  dialled: Dialled,
  dialling: Dialling,
  now: number,
  held_minor: number
): Result.Result<DialledNow, CallRateLimited | CallSpendLimitReached> => {
  const refusal =
    tooFast(dialled, dialling, now) ?? tooOften(dialled, dialling, now) ?? tooMuch(dialled, dialling, now, held_minor)
  if (refusal !== undefined) return Result.fail(refusal)
  const { limits, to } = dialling
  return Result.succeed({
    to: limits.max_calls_per_destination_per_hour === null ? [] : to,
    paced_until: now + ahead(dialled, now) + (to.length * second_ms) / limits.calls_per_second
  })
}

const noted = (lately: Lately, to: string, at: number): Lately => {
  const { old, young } = HashMap.size(lately.young) < lately_max ? lately : { old: lately.young, young: none }
  return { old, young: HashMap.set(young, to, [...withinHour(timesOf(young, to), at).slice(1 - remembered_max), at]) }
}

export const dialledNow = (dialled: Dialled, { paced_until, to }: DialledNow, at: number): Dialled => ({
  ...dialled,
  paced_until,
  lately: to.reduce((lately, each) => noted(lately, each, at), dialled.lately)
})

export const chargedNow = (dialled: Dialled, amount_minor: number, at: number): Dialled => ({
  ...dialled,
  day: dayOf(at),
  spent_minor: spentToday(dialled, at) + amount_minor
})

/** The recent dials from the calls of the last hour, the oldest first. */
export const latelyOf = (calls: ReadonlyArray<readonly [to: string, at: number]>): Lately =>
  calls.reduce((lately, [to, at]) => noted(lately, to, at), nothingDialled.lately)
