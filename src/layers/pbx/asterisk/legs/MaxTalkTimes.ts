// The longest time that a talk may last, enforced by Asterisk's own timer (`TIMEOUT(absolute)`), so that it also holds
// while the engine is down.
import { Effect, Schedule } from "effect"
import type { AriAway } from "../ari/Ari.ts"
import type { LegContext } from "./LegContext.ts"
import type { Leg } from "./Legs.ts"

/** The channel variable that sets the timer, in seconds from now. */
export const timerVariable = "TIMEOUT(absolute)"

/** The longest talk that is possible, with the margin that the engine allows beyond it. */
export const longestTalk_seconds = 14_400 + 60
/** The longest ringing of an inbound call: ten destinations, one after the other, ten minutes each. */
const longestRinging_seconds = 6_000 + 100

/** The timer of a channel that rings and then talks: in seconds from the beginning of the ringing. */
export const initialTimer = (ring_seconds = longestRinging_seconds, talk_limit_seconds = longestTalk_seconds): string =>
  String(ring_seconds + talk_limit_seconds)

/** If Asterisk is unreachable, the timer is set again until the margin of the limit is over. */
const retries = { schedule: Schedule.spaced("500 millis"), times: 100 }
/** A request that took longer than this has set the timer too late, so it is repeated. */
const slowRequest_ms = 1_000
/** How far the clocks of Asterisk and the engine may differ. */
const clockDifference_ms = 2_000

export class MaxTalkTimes {
  private readonly options: LegContext

  constructor(options: LegContext) {
    this.options = options
  }

  /** For an outbound leg: the timer from its dialling includes the limit, or it is set at the answer. */
  request(leg: Leg, seconds = longestTalk_seconds): void {
    leg.talk_limit_seconds = seconds
  }

  /** Before an inbound leg is answered: without the timer, a talk could go on without end if the engine stopped now. */
  prepareAnswer(leg: Leg, seconds = longestTalk_seconds): Effect.Effect<void, AriAway> {
    return Effect.suspend(() => {
      leg.talk_limit_seconds = seconds
      return seconds >= longestTalk_seconds ? Effect.void : this.set(leg, this.options.now() + seconds * 1000)
    })
  }

  /** Sets the timer anew from the answer, unless the present timer of the channel is short enough. */
  answered(leg: Leg, at: number): void {
    const { keeps_events } = this.options
    const { direction, talk_limit_seconds } = leg
    if (talk_limit_seconds === undefined) return
    leg.limit_at = at + talk_limit_seconds * 1000
    if (talk_limit_seconds >= longestTalk_seconds && (keeps_events || direction === "inbound")) return
    this.setInTheEnd(this.set(leg))
  }

  /**
   * Sets the timer again after a request that may have replaced it. Both go over ARI, so Asterisk handles this one
   * last.
   */
  restore(leg: Leg): void {
    this.setInTheEnd(Effect.suspend(() => this.setByAri(leg, leg.limit_at)))
  }

  /** Replaces the limit. `answered_at` comes with the command: a leg that was taken over does not know it. */
  change(leg: Leg, seconds: number, answered_at = leg.answered_at): Effect.Effect<void, AriAway> {
    return Effect.suspend(() => {
      leg.talk_limit_seconds = seconds
      if (leg.answered_at === undefined || answered_at === undefined) return Effect.void
      leg.limit_at = answered_at + seconds * 1000
      return this.set(leg)
    })
  }

  /**
   * Whether Asterisk can have ended the leg for its limit, which it does without giving a reason. For a leg that was
   * taken over with an unknown limit, the limit is the only known cause of an end without a reason.
   */
  isReached({ limit_at }: Leg, at: number): boolean {
    return limit_at === undefined || at >= limit_at - clockDifference_ms
  }

  private setInTheEnd(request: Effect.Effect<void, AriAway>): void {
    this.options.run(
      Effect.retry(request, retries).pipe(
        Effect.catch((error) => Effect.logWarning("Asterisk's talk-time limit could not be set", error.cause))
      )
    )
  }

  /** The manager interface sets the timer at once. ARI, the fallback, waits until the channel's playbacks are over. */
  private set(leg: Leg, ends_at?: number): Effect.Effect<void, AriAway> {
    const { legs, manager } = this.options
    return Effect.suspend(() => {
      const limit_at = leg.limit_at ?? ends_at
      if (limit_at === undefined || !legs.isLive(leg)) return Effect.void
      return Effect.flatMap(manager.setVariable(leg.channel, timerVariable, this.timerUntil(limit_at)), (is_set) =>
        is_set ? Effect.void : this.setByAri(leg, limit_at)
      )
    })
  }

  private setByAri(leg: Leg, ends_at: number | undefined): Effect.Effect<void, AriAway> {
    const { ari, legs, now } = this.options
    return Effect.suspend(() => {
      const limit_at = leg.limit_at ?? ends_at
      if (limit_at === undefined || !legs.isLive(leg)) return Effect.void
      const requested_at = now()
      const query = { variable: timerVariable, value: this.timerUntil(limit_at) }
      return Effect.flatMap(ari.request("POST", `/channels/${leg.channel}/variable`, query), () =>
        now() - requested_at > slowRequest_ms ? this.set(leg, ends_at) : Effect.void
      )
    })
  }

  /** At least one second: 0 would switch the timer off. */
  private timerUntil(limit_at: number): string {
    return String(Math.max(1, (limit_at - this.options.now()) / 1000))
  }
}
