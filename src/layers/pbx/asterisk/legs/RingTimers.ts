// Asterisk's timer (`TIMEOUT(absolute)`) of channels that are not answered yet. An engine that connects to Asterisk
// hears nothing of an answer while it is away, so a phone that is picked up must be hung up: the timer of a ringing
// channel is short, and is set again and again. Where Asterisk connects to the engine, it keeps the answer for it.
import { Effect, Schedule, Schema } from "effect"
import type { AriAway, AriResponse } from "../ari/Ari.ts"
import { type AriChannel, instantOf } from "../ari/AriEvent.ts"
import type { Branch } from "./Branches.ts"
import type { LegContext } from "./LegContext.ts"
import type { Leg } from "./Legs.ts"
import { initialTimer, longestTalk_seconds, type MaxTalkTimes, timerVariable } from "./MaxTalkTimes.ts"

export interface RingTimersOptions extends LegContext {
  readonly limits: MaxTalkTimes
}

/** The channel variable with the talk limit in seconds, for an engine that restarts while the channel rings. */
export const talkLimitVariable = "TRUNKLINE_TALK_LIMIT"

/** How long a channel exists that is created and then not dialled, because the engine has stopped in between. */
export const undialled_seconds = 10
/** Once the engine is away: how long a channel rings on, and how long an answered call stays silent, before it ends. */
export const unheard_seconds = 20
export const renewInterval = "5 seconds"
const concurrency = 64
const retries = { schedule: Schedule.spaced("500 millis"), times: 10 }
/** The timer of a channel that was never dialled is shorter than this, that of a dialled one longer. */
const dialled_ms = ((undialled_seconds + unheard_seconds) / 2) * 1000

/**
 * Whether an outbound channel of an earlier engine must be hung up: it was answered while no engine was connected, or
 * it was never dialled. `remaining_seconds` is what is left of its timer, 0 if it has none.
 */
export const isUnheard = (
  { creationtime, state }: Pick<AriChannel, "creationtime" | "state">,
  remaining_seconds: number,
  now: number
): boolean => {
  if (remaining_seconds === 0) return false
  if (state === "Up") return remaining_seconds <= unheard_seconds
  return (
    state === "Down" &&
    creationtime !== undefined &&
    now + remaining_seconds * 1000 - instantOf(creationtime) <= dialled_ms
  )
}

const isVariable = Schema.is(Schema.Struct({ value: Schema.String }))

const numberIn = ({ body }: AriResponse): number | undefined => {
  const value = isVariable(body) && body.value !== "" ? Number(body.value) : Number.NaN
  return Number.isFinite(value) ? value : undefined
}

export class RingTimers {
  private readonly options: RingTimersOptions

  constructor(options: RingTimersOptions) {
    this.options = options
  }

  get keepsEvents(): boolean {
    return this.options.keeps_events
  }

  /** Sets the timer of a channel that is dialled now. */
  dialled(leg: Leg, { channel }: Branch, ring_seconds: number): Effect.Effect<AriResponse, AriAway> {
    const { keeps_events } = this.options
    return this.set(channel, keeps_events ? initialTimer(ring_seconds, leg.talk_limit_seconds) : `${unheard_seconds}`)
  }

  /** Sets the timers of all ringing channels again, unless Asterisk keeps its events. */
  get renew(): Effect.Effect<void> {
    const { keeps_events, legs } = this.options
    if (keeps_events) return Effect.void
    return Effect.suspend(() => {
      const ringing = [...legs.live.values()].filter(
        ({ answered_at, direction }) => direction === "outbound" && answered_at === undefined
      )
      const branches = ringing.flatMap((leg) => [...leg.branches.values()].map((branch) => ({ leg, branch })))
      return Effect.forEach(branches, ({ branch, leg }) => this.renewOne(leg, branch), { concurrency, discard: true })
    })
  }

  /** What is left of the channel's timer, in seconds; undefined if the channel is gone. */
  remaining(channel: string): Effect.Effect<number | undefined, AriAway> {
    return Effect.map(this.get(channel, timerVariable), numberIn)
  }

  /** Reads the talk limit of a ringing leg that was taken over, for its answer, and sets its timer from now on. */
  takenOver(leg: Leg): Effect.Effect<void> {
    const { keeps_events, legs, limits } = this.options
    if (keeps_events) return Effect.void
    return Effect.retry(this.get(leg.channel, talkLimitVariable), retries).pipe(
      Effect.match({ onFailure: () => undefined, onSuccess: numberIn }),
      Effect.map((seconds = longestTalk_seconds) => {
        if (!legs.isLive(leg) || leg.talk_limit_seconds !== undefined) return
        limits.request(leg, seconds)
        if (leg.answered_at !== undefined) limits.answered(leg, leg.answered_at)
      })
    )
  }

  private renewOne(leg: Leg, branch: Branch): Effect.Effect<void> {
    const { legs, limits } = this.options
    return Effect.suspend(() => {
      const isRinging = branch.dialled && branch.end === undefined
      if (!isRinging || leg.answered_at !== undefined || !legs.isLive(leg)) return Effect.void
      const request = Effect.ignore(this.set(branch.channel, `${unheard_seconds}`))
      // The leg may have been answered meanwhile, and the timer of the talk set already.
      return Effect.andThen(
        request,
        Effect.sync(() => leg.answered_at !== undefined && limits.restore(leg))
      )
    })
  }

  private set(channel: string, value: string): Effect.Effect<AriResponse, AriAway> {
    return this.options.ari.request("POST", `/channels/${channel}/variable`, { variable: timerVariable, value })
  }

  private get(channel: string, variable: string): Effect.Effect<AriResponse, AriAway> {
    return this.options.ari.request("GET", `/channels/${channel}/variable`, { variable })
  }
}
