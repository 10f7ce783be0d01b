// The duration and cost of a call. Started minutes are charged in full, but never more than were prepaid.
import type { CompletedCall, SettlingCall } from "./Call.ts"
import type { CallRecord, HangupCause } from "./CallRecord.ts"

/** Talk in whole seconds, rounded up; at least one for an answered call. Instants in epoch milliseconds. */
export const durationSeconds = (answered_at: number, ended_at: number): number =>
  Math.max(1, Math.ceil((ended_at - answered_at) / 1000))

/** Signalling may lag behind the cut-off. The platform pays for seconds beyond the prepaid minutes. */
export const billedSeconds = (duration_seconds: number, prepaid_minutes: number, rate_per_min_minor: number): number =>
  rate_per_min_minor === 0 ? duration_seconds : Math.min(duration_seconds, prepaid_minutes * 60)

/** In minor units. */
export const costMinor = (billed_seconds: number, rate_per_min_minor: number): number =>
  Math.ceil(billed_seconds / 60) * rate_per_min_minor

export interface Bill {
  readonly duration_seconds: number
  readonly billed_seconds: number
  readonly cost_minor: number
}

/** The bill of a call that was answered and has ended. */
export const billOf = (call: SettlingCall | CompletedCall): Bill => {
  const { rate_per_min_minor } = call.facts
  const duration_seconds = durationSeconds(call.answered_at, call.ended_at)
  const billed_seconds = billedSeconds(duration_seconds, call.covered_minutes, rate_per_min_minor)
  return { duration_seconds, billed_seconds, cost_minor: costMinor(billed_seconds, rate_per_min_minor) }
}

/** What a call lasted and cost until `now`, in epoch milliseconds. One that goes on pays for its started minutes. */
export const billSoFar = (
  {
    answered_at,
    cost_minor,
    duration_seconds,
    rate_per_min_minor
  }: Pick<CallRecord, "answered_at" | "cost_minor" | "duration_seconds" | "rate_per_min_minor">,
  now: number
): Omit<Bill, "billed_seconds"> => {
  if (answered_at === null || cost_minor !== undefined)
    return { duration_seconds: duration_seconds ?? 0, cost_minor: cost_minor ?? 0 }
  const until = durationSeconds(Date.parse(answered_at), now)
  return { duration_seconds: until, cost_minor: costMinor(until, rate_per_min_minor) }
}

const callbackFailures: ReadonlySet<HangupCause> = new Set<HangupCause>([
  "callback_failed",
  "callback_timeout",
  "voice_action_invalid"
])

/**
 * Whether the charge may be waived: the first voice callback failed, so that nothing was said or done in the call. A
 * failure after that does not count: a long call would otherwise be free for a callback that fails at its end. Neither
 * does a call to a high-risk or premium destination, which earns its far end money however short it is.
 */
export const isWaivable = ({ ending, facts, script }: SettlingCall): boolean =>
  facts.high_risk === undefined &&
  callbackFailures.has(ending.cause) &&
  script !== null &&
  script.step === 0 &&
  script.question !== null
