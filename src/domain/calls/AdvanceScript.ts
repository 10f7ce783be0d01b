// What a call does next by itself: actions that take no time, and the question that an action ends with.
import { nextInSetup, rejected } from "./AdvanceInbound.ts"
import { type Call, currentAction, type PlacedCall } from "./Call.ts"
import type { CallEvent } from "./CallEvent.ts"
import { evolveCall } from "./EvolveCall.ts"
import type { HangupCause } from "./CallRecord.ts"
import { goesInCircles } from "./CallbackLog.ts"
import { dialResult, isFinished } from "./Dial.ts"
import { completed } from "./EndCall.ts"
import { atOnce, finished } from "./ScriptSteps.ts"

type Events = ReadonlyArray<CallEvent>

/** Far more than a conversation takes: a script that goes in circles ends here. */
const steps_max = 10_000

const causes = { normal: "normal_clearing", busy: "user_busy", rejected: "call_rejected" } as const

/** Who hangs up on a machine that was told nothing has waited for a person. */
const causeOfHangup = ({ answered_by, engaged }: Call, reason: keyof typeof causes): HangupCause =>
  reason === "normal" && answered_by === "machine" && engaged !== true ? "machine_detected" : causes[reason]

const next = (call: Call, now: number): Events => {
  if (call.phase === "ringing") return nextInSetup(call, now)
  if (call.phase !== "answered" || call.script === null || call.script.question !== null) return []
  if (call.script.step >= steps_max)
    return [completed(call, { at: now, now, cause: "voice_action_invalid", source: "platform" })]
  const action = currentAction(call)
  const end = (cause: HangupCause) => [completed(call, { at: now, now, cause, source: "workspace" })]
  if (action === undefined) return end("actions_ended")
  if ("hangup" in action) return end(causeOfHangup(call, action.hangup.reason ?? "normal"))
  if ("dial" in action && call.dial !== null && isFinished(call.dial)) {
    return [finished(action.dial.action_url, "dial_completed", { ...dialResult(call.dial) }, now)]
  }
  return atOnce(call as PlacedCall, action, now) ?? []
}

/** The question is not asked. */
const ofCircles = (call: Call, now: number): Events => {
  const cause = "voice_action_invalid"
  const failed: CallEvent = {
    _tag: "CallbackFailed",
    at: now,
    cause,
    detail: "The callbacks lead to one another in circles.",
    http_status: null,
    pointer: null
  }
  return call.phase === "ringing"
    ? [failed, rejected(now, "failed", cause, "platform")]
    : [failed, completed(call, { at: now, now, cause, source: "platform" })]
}

/** These events, and all that they lead to at once. */
export const advanced = (call: Call, events: Events, now: number): Events => {
  const all = [...events]
  let after = events.reduce(evolveCall, call)
  for (let more = next(after, now); more.length > 0; more = next(after, now)) {
    all.push(...more)
    after = more.reduce(evolveCall, after)
  }
  const asks = all.some(({ _tag }) => _tag === "Asked")
  return asks && goesInCircles(call.consulted, now) ? [...all, ...ofCircles(after, now)] : all
}
