// The ways a call ends, each in one place.
import type { Call, Ending } from "./Call.ts"
import type { CallEvent } from "./CallEvent.ts"
import type { HangupCause, HangupSource } from "./CallRecord.ts"

type HungUp = Extract<CallEvent, { readonly _tag: "HungUp" }>

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

/** Talk is over. It ended at `at`, but neither before the answer nor after now. */
export const completed = (
  call: Call,
  options: {
    readonly at: number
    readonly now: number
    readonly cause: HangupCause
    readonly source: HangupSource
    readonly sip_code?: number | null
    readonly q850_cause?: number | null
    readonly confirmed?: boolean
  }
): HungUp => {
  const at = Math.max(call.answered_at!, Math.min(options.at, options.now))
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
  return at === options.now || options.confirmed === true ? end : { ...end, decided_at: options.now }
}

/** It was never answered. */
export const unanswered = (at: number, ending: Ending, confirmed: boolean): HungUp => hungUp(at, ending, confirmed)

/**
 * The engine gives up or is told to, before an answer that counts. What was picked up and not taken is canceled, and its
 * line is taken down.
 */
export const abandoned = (
  call: Call,
  at: number,
  status: Ending["status"],
  cause: HangupCause,
  source: HangupSource
): ReadonlyArray<CallEvent> =>
  call.picked_up === null
    ? [hungUp(at, { status, cause, source })]
    : [hungUp(at, { status: "canceled", cause, source }), { _tag: "AnswerIgnored", at }]

/** Told when the first minute is over, an answered call is not cut off before the next one was asked for. */
export const heardLate = (answered_at: number, now: number): ReadonlyArray<CallEvent> =>
  now - answered_at >= 60_000 ? [{ _tag: "Resumed", at: now }] : []
