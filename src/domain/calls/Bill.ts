// What a call lasted and costs. Only whole, started minutes are charged, and never more than was held.
import type { PlacedCall } from "./Call.ts"

/** Talk in whole seconds, rounded up; an answered call lasted at least one. */
export const durationSeconds = (answered_at: number, ended_at: number): number =>
  Math.max(1, Math.ceil((ended_at - answered_at) / 1000))

/** Signalling may be slower than the cut-off; the seconds past the cover are the platform's loss. */
export const billedSeconds = (duration_seconds: number, covered_minutes: number, rate_per_min_minor: number): number =>
  rate_per_min_minor === 0 ? duration_seconds : Math.min(duration_seconds, covered_minutes * 60)

export const costMinor = (billed_seconds: number, rate_per_min_minor: number): number =>
  Math.ceil(billed_seconds / 60) * rate_per_min_minor

export interface Bill {
  readonly duration_seconds: number
  readonly billed_seconds: number
  readonly cost_minor: number
}

/** The bill of a call whose talk is over. */
export const billOf = (call: PlacedCall): Bill => {
  const { rate_per_min_minor } = call.facts
  const duration_seconds = durationSeconds(call.answered_at!, call.ended_at!)
  const billed_seconds = billedSeconds(duration_seconds, call.covered_minutes, rate_per_min_minor)
  return { duration_seconds, billed_seconds, cost_minor: costMinor(billed_seconds, rate_per_min_minor) }
}
