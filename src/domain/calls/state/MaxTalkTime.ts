// How long a PBX lets talk go on by itself, in case the engine never comes back: as long as the wallet could pay for
// it. While the engine is running it ends the talk first.
import type { AnsweredCall, MaxTalkTime, PlacedCall, SettlingCall } from "./Call.ts"
import type { CallEvent } from "./CallEvent.ts"

/**
 * Seconds of talk beyond what is paid, at the platform's expense. They leave time for a minute that is first refused
 * and then paid in the last second to reach the PBX.
 */
export const margin_seconds = 60

/** What limits a talk. */
export interface TalkFunds {
  readonly prepaid_minutes: number
  /** What the wallet could still hold, minor units. Undefined: unknown. */
  readonly available_minor: number | undefined
  readonly rate_per_min_minor: number
  readonly max_duration_seconds: number
}

/** Seconds from the answer on, margin included. */
export const maxTalkSeconds = (funds: TalkFunds): number => {
  const { available_minor, max_duration_seconds, prepaid_minutes, rate_per_min_minor } = funds
  if (rate_per_min_minor === 0 || available_minor === undefined) return max_duration_seconds + margin_seconds
  const minutes = prepaid_minutes + Math.max(0, Math.floor(available_minor / rate_per_min_minor))
  return Math.min(minutes * 60, max_duration_seconds) + margin_seconds
}

const longestTalk = ({ facts }: PlacedCall): number => facts.max_duration_seconds + margin_seconds

/** The limit that the PBX was sent last, in seconds from the answer on. */
export const talkLimitOf = (call: PlacedCall): number => call.talk_limit?.seconds ?? longestTalk(call)

/** The event that changes the limit, if what the wallet can pay now changes it. With ample funds it never changes. */
export const limitTalk = (
  call: PlacedCall,
  funds: {
    readonly at: number
    readonly available_minor: number | undefined
    /** Default: those of the call. */
    readonly prepaid_minutes?: number
  }
): ReadonlyArray<CallEvent> => {
  const { at, available_minor, prepaid_minutes = call.covered_minutes } = funds
  if (available_minor === undefined) return []
  const seconds = maxTalkSeconds({ ...call.facts, available_minor, prepaid_minutes })
  return seconds === talkLimitOf(call) ? [] : [{ _tag: "TalkLimited", at, seconds }]
}

/** Before the answer the limit travels with the command to call or to answer, and needs no command of its own. */
export const evolveMaxTalkTime = (call: PlacedCall, seconds: number): MaxTalkTime => ({
  seconds,
  count: call.answered_at === null ? 0 : (call.talk_limit?.count ?? 0) + 1
})

/** When and why a talk ended that the PBX ended at its limit: without the margin, which is not charged. */
export const limitReached = (call: AnsweredCall | SettlingCall) => ({
  at: call.answered_at + (talkLimitOf(call) - margin_seconds) * 1000,
  cause: talkLimitOf(call) < longestTalk(call) ? ("balance_exhausted" as const) : ("max_duration" as const)
})

/** How far the clocks of a PBX and of the engine may be apart. */
const clockSkew_ms = 5_000

/** Whether the PBX may have ended the talk at its limit at `at`. */
export const mayHaveReachedLimit = (call: AnsweredCall | SettlingCall, at: number): boolean =>
  at >= call.answered_at + talkLimitOf(call) * 1000 - clockSkew_ms
