// The ways a call ends, each in one place.
import { type Call, currentAction, type Ending } from "./Call.ts"
import { type CallEvent, evolveCall } from "./CallEvent.ts"
import type { HangupCause, HangupSource } from "./CallRecord.ts"

type HungUp = Extract<CallEvent, { readonly _tag: "HungUp" }>

const hungUp = (at: number, ending: Partial<Ending> & Pick<Ending, "status" | "cause" | "source">, confirmed = false): HungUp => ({
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
): HungUp =>
  hungUp(Math.max(call.answered_at!, Math.min(options.at, options.now)), {
    status: "completed",
    cause: options.cause,
    source: options.source,
    sip_code: options.sip_code ?? null,
    q850_cause: options.q850_cause ?? null
  }, options.confirmed)

/** It was never answered. */
export const unanswered = (at: number, ending: Ending, confirmed: boolean): HungUp => hungUp(at, ending, confirmed)

/** The engine gives up or is told to, before an answer. */
export const abandoned = (at: number, status: Ending["status"], cause: HangupCause, source: HangupSource): HungUp =>
  hungUp(at, { status, cause, source })

/** After these events: the next action goes on by itself, unless it hangs up or none is left. */
export const advanced = (call: Call, events: ReadonlyArray<CallEvent>, now: number): ReadonlyArray<CallEvent> => {
  const after = events.reduce(evolveCall, call)
  if (after.phase !== "answered") return events
  const action = currentAction(after)
  if (action === undefined) return [...events, completed(after, { at: now, now, cause: "actions_ended", source: "workspace" })]
  if ("hangup" in action) return [...events, completed(after, { at: now, now, cause: "normal_clearing", source: "workspace" })]
  return events
}
