// When a call is ended for want of an answer, of money or of a sign of life. Told long after its time, such a deadline
// means that the engine was away: the wallet and the PBX, which could not be asked meanwhile, are asked before anything is
// ended. So they are by an engine that is back just before: see `recalled` in Call.ts.
import type { Call, PlacedCall } from "./Call.ts"

/** The PBX gave no sign of the session for so long: it is gone. */
const lost_after_ms = 180_000
/** Silent for so long, it is asked. */
const ask_after_ms = 90_000
/** A hang-up that the PBX does not confirm is given up after so long. */
const unconfirmed_after_ms = 60_000
/** The wallet has so long to cover the minutes that began while the engine was away. */
const cover_grace_ms = 5_000
/** The PBX has so long to tell of an answer that came while the engine was away. */
const ring_grace_ms = 10_000
/** No engine that is there is so late. */
const late_ms = 2_000

/** The phone has rung for as long as it was asked to, or whoever dialled it does not say that it was heard. */
export const ringEnds = ({ facts, picked_up }: PlacedCall): number =>
  picked_up === null ? facts.created_at + facts.timeout_seconds * 1000 : picked_up.claim_by

/** Whether the engine was away when the ringing ended, so that the PBX must be asked what came of it. */
export const rangUnseen = (call: PlacedCall): boolean => call.resumed_at !== null && call.resumed_at >= ringEnds(call)

export const ringTimeoutAt = (call: PlacedCall): number =>
  rangUnseen(call) ? call.resumed_at! + ring_grace_ms : ringEnds(call)

/** The end of the talk that is paid for. */
export const coverEnds = (call: Call): number => call.answered_at! + call.covered_minutes * 60_000

export const cutOffAt = (call: Call): number => {
  const ends = coverEnds(call)
  return call.resumed_at === null || call.resumed_at < ends ? ends : call.resumed_at + cover_grace_ms
}

export const askAt = (call: Call): number => call.pbx.proof_at + ask_after_ms

export const lostAt = (call: Call): number => {
  const lost = call.pbx.proof_at + lost_after_ms
  return call.resumed_at === null || call.resumed_at < lost ? lost : call.resumed_at + ask_after_ms
}

/** The PBX had its time from the end, from its last word, or from the engine's return on. */
export const givesUpAt = ({ ended_at, pbx: { proof_at, revived_at }, resumed_at }: Call): number =>
  Math.max(ended_at!, proof_at, revived_at ?? 0, resumed_at ?? 0) + unconfirmed_after_ms

/** Whether the engine was away when the deadline passed. */
export const wasAway = (deadline: number, now: number): boolean => now - deadline > late_ms
