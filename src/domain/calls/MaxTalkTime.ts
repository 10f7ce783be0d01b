// How long a PBX lets a talk go on by itself, should the engine be gone for good: for as long as the wallet could pay for
// it. While the engine is there it ends the talk first.
import type { Call, MaxTalkTime, PlacedCall } from "./Call.ts"
import type { CallEvent } from "./CallEvent.ts"

/**
 * What a PBX lets talk go on for beyond what is paid: the platform's loss. In it a minute that was refused at first and is
 * covered in the last second has its time to reach the PBX.
 */
export const margin_seconds = 60

export interface Means {
  readonly covered_minutes: number
  /** What the wallet could still set aside. Undefined: it is not known. */
  readonly available_minor: number | undefined
  readonly rate_per_min_minor: number
  readonly max_duration_seconds: number
}

/** Seconds from the answer on, the margin among them. */
export const maxTalkSeconds = ({
  available_minor,
  covered_minutes,
  max_duration_seconds,
  rate_per_min_minor
}: Means): number => {
  if (rate_per_min_minor === 0 || available_minor === undefined) return max_duration_seconds + margin_seconds
  const minutes = covered_minutes + Math.max(0, Math.floor(available_minor / rate_per_min_minor))
  return Math.min(minutes * 60, max_duration_seconds) + margin_seconds
}

const longest = ({ facts }: PlacedCall): number => facts.max_duration_seconds + margin_seconds

/** What the PBX was told last: without a word on money, that the talk may last as long as it may at all. */
export const limitOf = (call: PlacedCall): number => call.talk_limit?.seconds ?? longest(call)

/** What changes where so much could still be paid. With plenty of money, nothing ever does. */
export const limited = (
  call: PlacedCall,
  {
    at,
    available_minor,
    covered_minutes = call.covered_minutes
  }: {
    readonly at: number
    readonly available_minor: number | undefined
    readonly covered_minutes?: number
  }
): ReadonlyArray<CallEvent> => {
  if (available_minor === undefined) return []
  const seconds = maxTalkSeconds({ ...call.facts, available_minor, covered_minutes })
  return seconds === limitOf(call) ? [] : [{ _tag: "TalkLimited", at, seconds }]
}

/** Before the answer the PBX is told with the command to call, or to answer. */
export const evolveLimit = (call: Call, seconds: number): MaxTalkTime => ({
  seconds,
  count: call.answered_at === null ? 0 : (call.talk_limit?.count ?? 0) + 1
})

/** The talk that the PBX has ended for its limit was over when the money was, or the longest time. */
export const limitReached = (call: PlacedCall) => ({
  at: call.answered_at! + (limitOf(call) - margin_seconds) * 1000,
  cause: limitOf(call) < longest(call) ? ("balance_exhausted" as const) : ("max_duration" as const)
})

/** A PBX's clock is not the engine's. */
const early_ms = 5_000

/** Whether the PBX may have ended the talk for its limit at that instant. */
export const mayBeLimited = (call: PlacedCall, at: number): boolean =>
  at >= call.answered_at! + limitOf(call) * 1000 - early_ms
