// The ways a call ends. Instants are epoch milliseconds.
import { billedSeconds, costMinor, durationSeconds } from "../state/Bill.ts"
import type { AnsweredCall, Ending, RingingCall, SettlingCall } from "../state/Call.ts"
import type { CallEvent, CallEventOf } from "../state/CallEvent.ts"
import type { HangupCause, HangupSource } from "../state/CallRecord.ts"
import { awaitHangupUntil } from "../state/Deadlines.ts"

/** How a call ends that was not answered. */
export type UnansweredStatus = Exclude<Ending["status"], "completed">

type HungUp = CallEventOf<"HungUp">

const hungUp = (
  at: number,
  ending: Partial<Ending> & Pick<Ending, "status" | "cause" | "source">,
  confirmed = false
): HungUp => ({
  _tag: "HungUp",
  at,
  confirmed,
  ending: { sip_code: null, q850_cause: null, ...ending }
})

/** What a talk up to `at` costs. */
const costUntil = ({ answered_at, covered_minutes, facts }: AnsweredCall | SettlingCall, at: number): number => {
  const { rate_per_min_minor } = facts
  const seconds = billedSeconds(durationSeconds(answered_at, at), covered_minutes, rate_per_min_minor)
  return costMinor(seconds, rate_per_min_minor)
}

/**
 * Whether the talk may have ended at the PBX before `at`, in an earlier minute. The engine's own clock proves no talk:
 * only what the PBX has reported does.
 */
const mayCostLess = (call: AnsweredCall | SettlingCall, at: number): boolean =>
  costUntil(call, Math.min(Math.max(call.pbx.proof_at, call.answered_at), at)) < costUntil(call, at)

/** The end of an answered call. It counts from `at`, but neither from before the answer nor from after `now`. */
export const completed = (
  call: AnsweredCall | SettlingCall,
  options: {
    readonly at: number
    readonly now: number
    readonly cause: HangupCause
    readonly source: HangupSource
    readonly sip_code?: number | null
    readonly q850_cause?: number | null
    /** The PBX reported the end. Default: false. */
    readonly confirmed?: boolean
  }
): HungUp => {
  const at = Math.max(call.answered_at, Math.min(options.at, options.now))
  const end = hungUp(
    at,
    {
      status: "completed",
      cause: options.cause,
      source: options.source,
      sip_code: options.sip_code ?? null,
      q850_cause: options.q850_cause ?? null
    },
    options.confirmed
  )
  if (options.confirmed === true) return end
  return {
    ...end,
    ...(at !== options.now && { decided_at: options.now }),
    ...(mayCostLess(call, at) && { awaited_until: awaitHangupUntil(call, options.now) })
  }
}

/** The PBX does not know how the talk ended: it counts up to the last report of the session. */
export const lost = (call: AnsweredCall | SettlingCall, now: number): HungUp =>
  completed(call, { at: call.pbx.proof_at, now, cause: "session_lost", source: "carrier", confirmed: true })

/** The end that the engine decided holds: by the PBX's report, the talk lasted as long. */
export const asDecided = ({ ended_at, ending }: SettlingCall): HungUp => hungUp(ended_at, ending, true)

/** The end of a call whose hang-up the PBX will not report any more. */
export const unreported = (call: SettlingCall, now: number): HungUp =>
  mayCostLess(call, call.ended_at) ? lost(call, now) : asDecided(call)

/** The end of a call that was not answered, as the PBX reported it. */
export const unanswered = (at: number, ending: Ending): HungUp => hungUp(at, ending, true)

/** The end of an unanswered inbound call. The PBX is told to say the announcement, if there is one, and reject it. */
export const rejected = (
  at: number,
  status: UnansweredStatus,
  cause: HangupCause,
  source: HangupSource,
  announcement?: string
): CallEvent => ({ ...hungUp(at, { status, cause, source }), ...(announcement !== undefined && { announcement }) })

/**
 * The engine gives up a call before an answer that counts, by itself or on request. A leg that was picked up and not
 * accepted ends as canceled, and its line is hung up.
 */
export const abandoned = (
  call: RingingCall,
  at: number,
  status: UnansweredStatus,
  cause: HangupCause,
  source: HangupSource
): ReadonlyArray<CallEvent> =>
  call.picked_up === null
    ? [hungUp(at, { status, cause, source })]
    : [hungUp(at, { status: "canceled", cause, source }), { _tag: "AnswerIgnored", at }]

/**
 * If an answer is reported after its first minute has passed, the call counts as resumed, so that it is not cut off
 * before the wallet was asked for the next minute.
 */
export const answeredLate = (answered_at: number, now: number): ReadonlyArray<CallEvent> =>
  now - answered_at >= 60_000 ? [{ _tag: "Resumed", at: now }] : []
