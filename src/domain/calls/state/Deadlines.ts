// When a call is ended because nobody answers, the prepaid minutes are over, or the PBX is silent. A deadline that
// fires long after its time means that the engine was away: before it ends anything, the engine gives the wallet and
// the PBX time to report what happened meanwhile. It does so as well if it started shortly before the deadline
// (`recalled` in Call.ts). All instants are epoch milliseconds.
import type { AnsweredCall, PlacedCall, RingingCall } from "./Call.ts"
import type { CallFacts } from "./CallFacts.ts"

/** A call counts as lost after this time without a sign of its session. */
const lostAfter_ms = 180_000
/** After this time without a sign of the session the PBX is asked for a snapshot. */
const snapshotAfter_ms = 90_000
/** How long the engine waits for the PBX to confirm a hang-up. */
const confirmationTimeout_ms = 60_000
/** The least time that the PBX has to report the hang-up of a call that the engine ended. */
const hangupReport_ms = 60_000
/** How long the PBX has, after an absence of the engine, to report a hang-up that came meanwhile. */
const hangupGrace_ms = 10_000
/** How long the wallet has, after an absence of the engine, to pay for minutes that began meanwhile. */
const prepaymentGrace_ms = 5_000
/** How long the PBX has, after an absence of the engine, to report an answer that came meanwhile. */
const ringGrace_ms = 10_000
/**
 * How long after its money was held a call may begin. The wallet's audit releases the holds of calls that do not exist,
 * and waits for longer than this (`audit_every_ms`).
 */
const placedWithin_ms = 10_000
/** A running engine is never so late. */
const absence_ms = 2_000

/** When the phone has rung long enough. */
export const ringsUntil = ({ created_at, timeout_seconds }: CallFacts): number => created_at + timeout_seconds * 1000

/** When the phone has rung long enough, or the parent call has not accepted a leg that was picked up. */
export const ringEnds = ({ facts, picked_up }: PlacedCall): number =>
  picked_up === null ? ringsUntil(facts) : picked_up.claim_by

/**
 * When the engine came back, if it was away as the ringing ended: then the PBX must be asked whether anybody answered.
 */
export const backAfterRinging = (call: RingingCall): number | null =>
  call.resumed_at !== null && call.resumed_at >= ringEnds(call) ? call.resumed_at : null

export const ringTimeoutAt = (call: RingingCall): number => {
  const back_at = backAfterRinging(call)
  return back_at === null ? ringEnds(call) : back_at + ringGrace_ms
}

/** The end of the prepaid minutes. */
export const prepaidUntil = (call: AnsweredCall): number => call.answered_at + call.covered_minutes * 60_000

/** When the call is cut off if no further minute is paid for. */
export const cutOffAt = (call: AnsweredCall): number => {
  const ends = prepaidUntil(call)
  return call.resumed_at === null || call.resumed_at < ends ? ends : call.resumed_at + prepaymentGrace_ms
}

/** When the talk has lasted as long as it may. */
export const longestUntil = ({ answered_at, facts }: AnsweredCall): number =>
  answered_at + facts.max_duration_seconds * 1000

export const maxDurationAt = (call: AnsweredCall): number => {
  const ends = longestUntil(call)
  return call.resumed_at === null || call.resumed_at < ends ? ends : call.resumed_at + hangupGrace_ms
}

/**
 * Until when the hang-up of a call is waited for that the engine ends at `now`, where the PBX's report could make it
 * cheaper: as long as a session may be silent before it counts as lost.
 */
export const awaitHangupUntil = (call: PlacedCall, now: number): number =>
  Math.max(now + hangupReport_ms, call.pbx.proof_at + lostAfter_ms)

export const snapshotAt = (call: PlacedCall): number => call.pbx.proof_at + snapshotAfter_ms

export const lostAt = (call: PlacedCall): number => {
  const lost = call.pbx.proof_at + lostAfter_ms
  return call.resumed_at === null || call.resumed_at < lost ? lost : call.resumed_at + snapshotAfter_ms
}

/** When the engine stops waiting for the PBX to confirm a hang-up. */
export const confirmationEnds = (call: PlacedCall & { readonly ended_at: number }): number => {
  const { ended_at, pbx, resumed_at } = call
  return Math.max(ended_at, pbx.proof_at, pbx.revived_at ?? 0, resumed_at ?? 0) + confirmationTimeout_ms
}

/** When a call is charged without the PBX's report of its hang-up; undefined if it does not wait for one. */
export const hangupAwaitedUntil = ({ hangup_awaited_until: until, resumed_at }: PlacedCall): number | undefined =>
  until === undefined || resumed_at === null || resumed_at < until ? until : resumed_at + hangupGrace_ms

/** Whether too much time has passed since the call was requested and its money was held: its hold may be released. */
export const isPlacedLate = ({ created_at, shared_hold_id }: CallFacts, now: number): boolean =>
  shared_hold_id === undefined && now - created_at > placedWithin_ms

/** Whether the engine was away when the deadline passed. */
export const wasAway = (deadline: number, now: number): boolean => now - deadline > absence_ms
