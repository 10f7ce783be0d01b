// The rules of an answered call: its script, its prepaid minutes, and the deadlines that end it.
import { advanced } from "./AdvanceScript.ts"
import { refusedAnswer } from "./CallbackAnswer.ts"
import { type AnsweredCall, currentAction } from "../state/Call.ts"
import type { RulesFor } from "../state/CallCommand.ts"
import { happened, nothing } from "../state/Decided.ts"
import { machineDetected } from "./DecideMedia.ts"
import { cutOffAt, longestUntil, lostAt, maxDurationAt, prepaidUntil, wasAway } from "../state/Deadlines.ts"
import { completed } from "./EndCall.ts"
import { limitTalk } from "../state/MaxTalkTime.ts"
import { unspoken } from "../state/Refusal.ts"
import { actionReported } from "./ScriptSteps.ts"
import { misplacedOnceAnswered, unsupportedAction, verbOf } from "../verbs/VoiceAction.ts"

type Answered = RulesFor<AnsweredCall>

/** Whether `step` is the question that is open. */
const isAsking = ({ script }: AnsweredCall, step: number): boolean => script?.step === step && script.question !== null

export const callbackFailed: Answered["CallbackFailed"] = (call, { _tag, step, ...failure }, now) =>
  isAsking(call, step)
    ? happened(
        { _tag, at: now, ...failure },
        completed(call, { at: now, now, cause: failure.cause, source: "platform" })
      )
    : nothing

export const callbackSucceeded: Answered["CallbackSucceeded"] = (call, message, now) => {
  const { _tag: _, step, ...answer } = message
  if (!isAsking(call, step)) return nothing
  const misplaced = misplacedOnceAnswered(answer.actions) ?? unsupportedAction(answer.actions, call.facts.capabilities)
  return misplaced === undefined
    ? happened(...advanced(call, [{ _tag: "CallbackAnswered", at: now, ...answer }], now))
    : callbackFailed(call, refusedAnswer(message, misplaced), now)
}

/**
 * An action that waits for the PBX or for time to pass goes on without a report. A dial, a stream and a conference have
 * deadlines of their own.
 */
export const actionOverdue: Answered["ActionOverdue"] = (call, { step }, now) => {
  const action = currentAction(call)
  if (call.script?.step !== step || action === undefined) return nothing
  if (unspoken(call.dial) !== undefined) return happened(...advanced(call, [{ _tag: "RefusalSpoken", at: now }], now))
  const { by } = verbOf(action).verb.run
  if (by === "legs" || by === "stream" || by === "conference") return nothing
  return happened(...advanced(call, [actionReported(call, action, null, now)], now))
}

export const machineUndetected: Answered["MachineUndetected"] = (call, _command, now) =>
  call.detect_until === null ? nothing : happened(...machineDetected(call, "unknown", null, now))

export const minutePrepaid: Answered["MinutePrepaid"] = (call, { available_minor, minutes }, now) =>
  minutes <= call.covered_minutes
    ? nothing
    : happened(
        { _tag: "MinutePrepaid", minutes },
        ...limitTalk(call, { at: now, available_minor, prepaid_minutes: minutes })
      )

/** The wallet cannot pay for the next minute now. */
export const minuteRefused: Answered["MinuteRefused"] = (call, { minutes }, now) => {
  if (call.refused_minute === minutes || minutes <= call.covered_minutes) return nothing
  const remaining_seconds = Math.max(0, Math.ceil((prepaidUntil(call) - now) / 1000))
  return happened(
    { _tag: "BalanceWentLow", at: now, minutes, remaining_seconds },
    ...limitTalk(call, { at: now, available_minor: 0 })
  )
}

/** The prepaid minutes are over. */
export const cutOff: Answered["PrepaidTimeEnded"] = (call, { minutes }, now) => {
  const due = cutOffAt(call)
  if (minutes !== call.covered_minutes || now < due) return nothing
  if (call.refused_minute === null && wasAway(due, now)) return happened({ _tag: "Resumed", at: now })
  return happened(completed(call, { at: prepaidUntil(call), now, cause: "balance_exhausted", source: "platform" }))
}

export const maxDurationReached: Answered["MaxDurationReached"] = (call, _command, now) => {
  const due = maxDurationAt(call)
  if (now < due) return nothing
  if (wasAway(due, now)) return happened({ _tag: "Resumed", at: now })
  return happened(completed(call, { at: longestUntil(call), now, cause: "max_duration", source: "platform" }))
}

/** An engine that started shortly before the deadline has not given the PBX time to report. */
export const sessionLost: Answered["SessionLost"] = (call, _command, now) => {
  const due = lostAt(call)
  if (now < due) return nothing
  if (wasAway(due, now) || call.pbx.recalled === true) return happened({ _tag: "Resumed", at: now })
  return happened(completed(call, { at: call.pbx.proof_at, now, cause: "session_lost", source: "carrier" }))
}
