// How much a workspace has dialled of late, as far as its calling policy limits it (docs/calling-policy.md). It is part of
// the wallet because no leg is placed but by it: whatever dials is counted in one place and in one order.
import { HashMap, Option, Result } from "effect"
import { CallRateLimited, CallSpendLimitReached } from "../errors/CallErrors.ts"

type Times = HashMap.HashMap<string, ReadonlyArray<number>>

/** When each destination was dialled, in two generations: those dialled once and never again are forgotten in time. */
export interface Lately {
  readonly young: Times
  readonly old: Times
}

export interface Dialled {
  /** When all calls so far would have been placed at the pace allowed: it runs ahead of the clock in a burst. */
  readonly paced_until: number
  /** The day (UTC, counted from 1970) of `spent_minor`: what calls were charged on it. */
  readonly day: number
  readonly spent_minor: number
  /** Not stored with the wallet: the calls themselves tell it when the wallet is loaded. */
  readonly lately: Lately
}

/** What the policy allows; null is no limit. */
export interface DialLimits {
  readonly calls_per_second: number
  readonly max_calls_per_destination_per_hour: number | null
  readonly daily_spend_limit_minor: number | null
}

/** Legs that are about to be placed on one hold. */
export interface Dialling {
  readonly to: ReadonlyArray<string>
  readonly limits: DialLimits
}

/** Legs that were placed. `to` is empty where nothing limits destinations. */
export interface DialledNow {
  readonly to: ReadonlyArray<string>
  readonly paced_until: number
}

const second_ms = 1_000
const hour_ms = 3_600_000
const day_ms = 86_400_000
/** So much of the pace may be used at once: a burst of twice the calls of a second. */
const burst_ms = 2 * second_ms
/** No dial takes a workspace further ahead: ten legs at one call a second. */
const longest_ahead_ms = 60_000
/** Destinations of a generation: a workspace that dials more within an hour is not one that dials the same again and again. */
export const lately_max = 10_000
/** Calls to one destination that are remembered: no policy asks for more (docs/calling-policy.md). */
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

/** What calls were charged today, in UTC. */
export const spentToday = ({ day, spent_minor }: Dialled, now: number): number => (day === dayOf(now) ? spent_minor : 0)

/** How far the calls so far are ahead of the pace. A clock that was set back is nothing to wait for. */
const ahead = ({ paced_until }: Dialled, now: number): number => {
  const ahead_ms = paced_until - now
  return ahead_ms <= 0 || ahead_ms > longest_ahead_ms ? 0 : ahead_ms
}

const inSeconds = (wait_ms: number): number => Math.max(1, Math.ceil(wait_ms / second_ms))

/** Alone it may always go, however many legs it has: else a dial of many would never be placed by a slow workspace. */
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

/** What is held counts as spent: it will be, or it becomes free. */
const tooMuch = (
  dialled: Dialled,
  { limits }: Dialling,
  now: number,
  held_minor: number
): CallSpendLimitReached | undefined => {
  const { daily_spend_limit_minor: max } = limits
  return max !== null && spentToday(dialled, now) + held_minor > max ? new CallSpendLimitReached() : undefined
}

/** Whether the legs may be placed now. `held_minor` is all that is held, with what is wanted for them. */
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

/** From what calls tell of the last hour, the oldest first. */
export const latelyOf = (calls: ReadonlyArray<readonly [to: string, at: number]>): Lately =>
  calls.reduce((lately, [to, at]) => noted(lately, to, at), nothingDialled.lately)
