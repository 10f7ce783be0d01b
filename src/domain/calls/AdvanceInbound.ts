// What an inbound call does next by itself before it is answered: it is rejected, answered, or rung for in vain.
import { type Call, currentAction, type PlacedCall } from "./Call.ts"
import type { CallEvent } from "./CallEvent.ts"
import type { CallStatus, HangupCause, HangupSource } from "./CallRecord.ts"
import { type Dial, dialResult, isFinished } from "./Dial.ts"
import { unanswered } from "./EndCall.ts"
import { atOnce } from "./ScriptSteps.ts"

type Events = ReadonlyArray<CallEvent>
type Unanswered = Exclude<CallStatus, "ringing" | "answered" | "completed">

/** It ends before an answer. The PBX is to reject it. */
export const rejected = (at: number, status: Unanswered, cause: HangupCause, source: HangupSource): CallEvent =>
  unanswered(at, { status, cause, source, sip_code: null, q850_cause: null }, false)

const refusals = {
  normal: { status: "canceled", cause: "normal_clearing" },
  busy: { status: "busy", cause: "user_busy" },
  rejected: { status: "busy", cause: "call_rejected" }
} as const

/** Whoever was rung did not answer; one who did and is gone again before the caller was connected counts as canceled. */
const inVain = (dial: Dial, now: number): Events => {
  if (dial.legs.some(({ session_id }) => session_id !== null))
    return [rejected(now, "canceled", "normal_clearing", "callee")]
  switch (dialResult(dial).status) {
    case "no_answer":
      return [rejected(now, "no_answer", "no_answer", "callee")]
    case "busy":
      return [rejected(now, "busy", "user_busy", "callee")]
    default:
      return [rejected(now, "failed", "no_route", "platform")]
  }
}

/** An action that is neither a refusal nor done at once needs an answered call. */
export const nextInSetup = (call: Call, now: number): Events => {
  const { dial, reception, script } = call
  if (reception === null || script === null || script.question !== null) return []
  if (dial !== null && isFinished(dial)) return inVain(dial, now)
  if (reception.step !== "asking") return []
  const action = currentAction(call)
  if (action === undefined) return [rejected(now, "canceled", "actions_ended", "workspace")]
  if ("reject" in action || "hangup" in action) {
    const reason = "reject" in action ? (action.reject.reason ?? "rejected") : (action.hangup.reason ?? "normal")
    const { cause, status } = refusals[reason]
    return [rejected(now, status, cause, "workspace")]
  }
  return atOnce(call as PlacedCall, action, now) ?? [{ _tag: "Answering", at: now }]
}
