// Asterisk ends a talk by its own clock (`TIMEOUT(absolute)`) when its limit is reached, whoever is there to tell it.
import { Effect, Schedule } from "effect"
import type { Ari, AriAway } from "./Ari.ts"
import type { Leg, Legs } from "./Legs.ts"
import type { Manager } from "./Manager.ts"

export interface MaxTalkTimesOptions {
  readonly ari: Ari
  readonly legs: Legs
  readonly manager: Pick<Manager, "setVariable">
  readonly now: () => number
  readonly run: (effect: Effect.Effect<void>) => void
}

export const clock = "TIMEOUT(absolute)"

/** Of the longest talk that there is, with what is let go on beyond it. */
export const longest_seconds = 14_400 + 60
/** A call that comes in rings no longer: for ten destinations, one after the other, ten minutes each. */
const ringing_seconds = 6_000 + 100

/** A channel's first clock runs from its beginning, and leaves the time to ring. */
export const firstClock = (ring_seconds = ringing_seconds, talk_limit_seconds = longest_seconds): string =>
  String(ring_seconds + talk_limit_seconds)

/** Asterisk is away: it has until the margin of the limit is over to be asked. */
const again = { schedule: Schedule.spaced("500 millis"), times: 100 }
/** What has waited longer than this counts from too late. */
const late_ms = 1_000
/** Its clock and ours may differ by so much. */
const early_ms = 2_000

export class MaxTalkTimes {
  private readonly options: MaxTalkTimesOptions

  constructor(options: MaxTalkTimesOptions) {
    this.options = options
  }

  /** Said with the command to call: the channel's first clock has it already, and the time to ring. */
  expect(leg: Leg, seconds = longest_seconds): void {
    leg.talk_limit_seconds = seconds
  }

  /** Nothing is answered that would go on and on if the engine were gone in the next instant. */
  aboutToAnswer(leg: Leg, seconds = longest_seconds): Effect.Effect<void, AriAway> {
    return Effect.suspend(() => {
      leg.talk_limit_seconds = seconds
      return seconds >= longest_seconds ? Effect.void : this.set(leg, this.options.now() + seconds * 1000)
    })
  }

  /** The clock runs from the beginning of the channel: where that is too long for the talk, it is set anew. */
  answered(leg: Leg, at: number): void {
    const { talk_limit_seconds } = leg
    if (talk_limit_seconds === undefined) return
    leg.limit_at = at + talk_limit_seconds * 1000
    if (talk_limit_seconds >= longest_seconds) return
    this.options.run(
      Effect.retry(this.set(leg), again).pipe(
        Effect.catch((error) => Effect.logWarning("Asterisk cannot be told how long a talk may last", error.cause))
      )
    )
  }

  /** The newest limit holds. Of a leg that was taken over only the command knows when it was answered. */
  change(leg: Leg, seconds: number, answered_at = leg.answered_at): Effect.Effect<void, AriAway> {
    return Effect.suspend(() => {
      leg.talk_limit_seconds = seconds
      if (leg.answered_at === undefined || answered_at === undefined) return Effect.void
      leg.limit_at = answered_at + seconds * 1000
      return this.set(leg)
    })
  }

  /**
   * Whether it is for its limit that Asterisk has ended the leg by itself, which it does without a word. Of a leg that was
   * taken over without a word of its limit, nothing else is known to do so.
   */
  isReached({ limit_at }: Leg, at: number): boolean {
    return limit_at === undefined || at >= limit_at - early_ms
  }

  /** The manager's interface sets it at once; by ARI it waits until the channel has played what it plays. */
  private set(leg: Leg, ends_at?: number): Effect.Effect<void, AriAway> {
    const { ari, legs, manager, now } = this.options
    return Effect.suspend(() => {
      const limit_at = leg.limit_at ?? ends_at
      if (limit_at === undefined || legs.live.get(leg.id) !== leg) return Effect.void
      const asked_at = now()
      // None at all would be no limit.
      const value = String(Math.max(1, (limit_at - asked_at) / 1000))
      return Effect.flatMap(manager.setVariable(leg.channel, clock, value), (is_set) => {
        if (is_set) return Effect.void
        const by_ari = ari.request("POST", `/channels/${leg.channel}/variable`, { variable: clock, value })
        return Effect.flatMap(by_ari, () => (now() - asked_at > late_ms ? this.set(leg, ends_at) : Effect.void))
      })
    })
  }
}
