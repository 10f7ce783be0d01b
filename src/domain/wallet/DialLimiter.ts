// Limits how fast, how often and for how much money a workspace dials (docs/calling-policy.md). It is part of the
// wallet, because every leg needs a hold: so all dials are counted in one place and in one order.
import { HashMap, Option, Result, Schema } from "effect"
import { CallConcurrencyLimitReached, CallRateLimited, CallSpendLimitReached } from "../errors/CallErrors.ts"
import { Count, Minor, optional, orNull } from "../kit/Fields.ts"
import {
  addNewLegs,
  checkNewDestinations,
  KnownDestinations,
  NewDestinationLimits,
  type NewLegs
} from "./NewDestinations.ts"
import { countOf, noTimes, nthLast, type RecentTimes, withTime } from "./RecentTimes.ts"

type Times = HashMap.HashMap<string, RecentTimes>

/** Times of the recent dials, by destination. Two generations: the older is dropped once the younger is full. */
export interface RecentDials {
  readonly young: Times
  readonly old: Times
}

/** What is stored of earlier dials. */
export const DialCounts = Schema.Struct({
  /**
   * When all dials so far would have been placed at the allowed rate, in epoch milliseconds with a fraction. After a
   * burst it is later than the clock.
   */
  paced_until: Schema.Finite,
  /** The day of `spent_minor`, in UTC, counted from 1970. `spent_minor` is what calls were charged on that day. */
  day: Schema.Int,
  spent_minor: Minor,
  ...KnownDestinations.fields
})

/** What a wallet knows of earlier dials. */
export interface DialHistory extends Schema.Schema.Type<typeof DialCounts> {
  /** Not stored with the wallet. It is read from the calls when the wallet is loaded. */
  readonly recent: RecentDials
}

/** The limits of the calling policy. Null: no limit. An older engine does not send the optional ones. */
const DialLimits = Schema.Struct({
  calls_per_second: Count,
  max_calls_per_destination_per_hour: orNull(Count),
  daily_spend_limit_minor: orNull(Minor),
  ...NewDestinationLimits.fields,
  max_concurrent_high_risk_calls: optional(orNull(Count))
})
export type DialLimits = typeof DialLimits.Type

/** The legs that a hold is requested for. */
export const DialRequest = Schema.Struct({
  to: Schema.Array(Schema.String),
  limits: DialLimits,
  /** The country of each leg that leaves the country of its number, ISO 3166-1 alpha-2. */
  abroad: optional(Schema.Array(Schema.String)),
  /** How many of the legs have a rate of class high_risk or premium. */
  high_risk: optional(Count)
})
export type DialRequest = typeof DialRequest.Type

/** The legs that were placed. `to` is empty if destinations are not limited. */
export interface PlacedDials extends Partial<NewLegs> {
  readonly to: ReadonlyArray<string>
  readonly paced_until: number
}

const second_ms = 1_000
const hour_ms = 3_600_000
const day_ms = 86_400_000
/** A burst may contain the calls of two seconds. */
const maxBurst_ms = 2 * second_ms
/**
 * An upper bound of how far `paced_until` is ahead: a dial has at most ten legs, and the rate is at least one a second.
 */
const maxAhead_ms = 60_000
/** Destinations in one generation. A workspace that dials more of them within an hour rarely repeats one. */
export const maxRecentDestinations = 10_000
/** Times kept for each destination: the largest limit that a policy can set (docs/calling-policy.md). */
const maxTimesPerDestination = 1_000

const none: Times = HashMap.empty()

export const emptyDialHistory: DialHistory = {
  paced_until: 0,
  day: 0,
  spent_minor: 0,
  recent: { young: none, old: none }
}

const dayOf = (at: number): number => Math.floor(at / day_ms)

const timesOf = (generation: Times, to: string): RecentTimes =>
  Option.getOrElse(HashMap.get(generation, to), () => noTimes)

/** When the nth last dial to the destination was, from 1; undefined if fewer are known. */
const nthLastDial = ({ old, young }: RecentDials, to: string, n: number): number | undefined => {
  const latest = timesOf(young, to)
  return nthLast(latest, n) ?? nthLast(timesOf(old, to), n - countOf(latest))
}

/** What calls were charged on the day of `now` (UTC), in minor units. */
export const spentToday = ({ day, spent_minor }: DialHistory, now: number): number =>
  day === dayOf(now) ? spent_minor : 0

/** How far the dials are ahead of the allowed rate. 0 if the clock was set back. */
const aheadOfRate_ms = ({ paced_until }: DialHistory, now: number): number => {
  const ahead_ms = paced_until - now
  return ahead_ms <= 0 || ahead_ms > maxAhead_ms ? 0 : ahead_ms
}

const inSeconds = (wait_ms: number): number => Math.max(1, Math.ceil(wait_ms / second_ms))

/** Allows any dial if none came shortly before; otherwise a dial with many legs could never be placed at a low rate. */
const checkRate = (dialled: DialHistory, { limits, to }: DialRequest, now: number): CallRateLimited | undefined => {
  const ahead_ms = aheadOfRate_ms(dialled, now)
  const over_ms = ahead_ms + (to.length * second_ms) / limits.calls_per_second - maxBurst_ms
  if (ahead_ms === 0 || over_ms <= 0) return undefined
  return new CallRateLimited({ reason: "calls_per_second", retry_after_seconds: inSeconds(over_ms) })
}

const checkDestinations = (
  { recent }: DialHistory,
  { limits, to }: DialRequest,
  now: number
): CallRateLimited | undefined => {
  const { max_calls_per_destination_per_hour: max } = limits
  if (max === null) return undefined
  for (const destination of to) {
    const latest = max === 0 ? now : nthLastDial(recent, destination, max)
    if (latest === undefined || latest <= now - hour_ms) continue
    const free_at = latest + hour_ms
    return new CallRateLimited({
      reason: "max_calls_per_destination_per_hour",
      message: "The workspace has called this destination as often within an hour as its calling policy allows.",
      retry_after_seconds: inSeconds(free_at - now)
    })
  }
  return undefined
}

/** What the calls in progress take: all held money, the hold of this request included, and their high-risk legs. */
export interface Taken {
  readonly held_minor: number
  readonly high_risk: number
}

const checkHighRisk = (
  { high_risk = 0, limits }: DialRequest,
  taken: Taken
): CallConcurrencyLimitReached | undefined => {
  const { max_concurrent_high_risk_calls: max = null } = limits
  if (high_risk === 0 || max === null || taken.high_risk + high_risk <= max) return undefined
  return new CallConcurrencyLimitReached({
    reason: "max_concurrent_high_risk_calls",
    message: "The workspace has as many concurrent high-risk and premium calls as its calling policy allows.",
    resolution: "Wait until one of them ends, or raise max_concurrent_high_risk_calls in the console."
  })
}

/** Counts held money as spent until it is released. */
const checkSpend = (
  dialled: DialHistory,
  { limits }: DialRequest,
  now: number,
  { held_minor }: Taken
): CallSpendLimitReached | undefined => {
  const { daily_spend_limit_minor: max } = limits
  return max !== null && spentToday(dialled, now) + held_minor > max ? new CallSpendLimitReached() : undefined
}

const newLegsOf = ({ abroad = [], to }: DialRequest): NewLegs => ({ legs: to.length, abroad })

/**
 * Checks all limits of the calling policy. Returns what `addDials` takes once the hold is placed. Fails with the first
 * limit that is exceeded: concurrent high-risk calls, rate, destination, new destination, daily spend.
 */
export const checkDialLimits = (
  dialled: DialHistory,
  request: DialRequest,
  now: number,
  taken: Taken
): Result.Result<PlacedDials, CallConcurrencyLimitReached | CallRateLimited | CallSpendLimitReached> => {
  const { limits, to } = request
  const refusal =
    checkHighRisk(request, taken) ??
    checkRate(dialled, request, now) ??
    checkDestinations(dialled, request, now) ??
    checkNewDestinations(dialled, newLegsOf(request), limits, now) ??
    checkSpend(dialled, request, now, taken)
  if (refusal !== undefined) return Result.fail(refusal)
  return Result.succeed({
    to: limits.max_calls_per_destination_per_hour === null ? [] : to,
    paced_until: now + aheadOfRate_ms(dialled, now) + (to.length * second_ms) / limits.calls_per_second,
    ...newLegsOf(request)
  })
}

const addRecentDial = (recent: RecentDials, to: string, at: number): RecentDials => {
  const { old, young } =
    HashMap.size(recent.young) < maxRecentDestinations ? recent : { old: recent.young, young: none }
  return {
    old,
    young: HashMap.set(young, to, withTime(timesOf(young, to), at, at - hour_ms, maxTimesPerDestination))
  }
}

/** The history after the legs were placed at the time `at`. */
export const addDials = (
  dialled: DialHistory,
  { abroad = [], legs = 0, paced_until, to }: PlacedDials,
  at: number
): DialHistory => ({
  ...addNewLegs(dialled, { abroad, legs }, at),
  paced_until,
  recent: to.reduce((recent, each) => addRecentDial(recent, each, at), dialled.recent)
})

/** The history after a call was charged. The first charge of a day (UTC) starts the sum again. */
export const addCharge = (dialled: DialHistory, amount_minor: number, at: number): DialHistory => ({
  ...dialled,
  day: dayOf(at),
  spent_minor: spentToday(dialled, at) + amount_minor
})

/** Rebuilds the recent dials from the calls of the last hour, oldest first. */
export const recentDialsOf = (calls: ReadonlyArray<readonly [to: string, at: number]>): RecentDials =>
  calls.reduce((recent, [to, at]) => addRecentDial(recent, to, at), emptyDialHistory.recent)
