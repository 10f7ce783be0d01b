// What an unanswered inbound call does next by itself: it is rejected, answered, or ends because nobody took it.
import { currentAction, type RingingCall } from "../state/Call.ts"
import type { CallEvent } from "../state/CallEvent.ts"
import { type Dial, dialResult, isFinished } from "../state/Dial.ts"
import { rejected } from "./EndCall.ts"
import type { Refusal } from "../state/CallFacts.ts"
import { refusalOf, spokenToCaller, spokenToUser } from "../state/Refusal.ts"
import { stepEvents } from "./ScriptSteps.ts"
import { engineStep } from "../verbs/VoiceAction.ts"
import { takesMessage } from "../../chatapp/Reachability.ts"
import { takeMessage } from "./TakeMessage.ts"

type Events = ReadonlyArray<CallEvent>

const refusals = {
  normal: { status: "canceled", cause: "normal_clearing", trigger: undefined },
  busy: { status: "busy", cause: "user_busy", trigger: "busy" },
  rejected: { status: "busy", cause: "call_rejected", trigger: "declined" }
} as const

/** Nothing was called. The user of a device learns why; a caller from outside, at most that nobody can be reached. */
const refusedAll = ({ facts }: RingingCall, refusal: Refusal | undefined, now: number): CallEvent =>
  facts.direction === "outbound" && refusal !== undefined
    ? rejected(now, "failed", refusal.cause, "platform", spokenToUser(refusal))
    : rejected(now, "failed", "no_route", "platform", spokenToCaller(refusal))

/** Nobody took the call. If somebody did, but was gone before the caller was connected, it counts as canceled. */
const notTaken = (call: RingingCall, dial: Dial, now: number): Events => {
  if (dial.legs.some(({ session_id }) => session_id !== null))
    return [rejected(now, "canceled", "normal_clearing", "callee")]
  const { status } = dialResult(dial)
  if (takesMessage(call.reception?.voicemail, status === "busy" ? "busy" : "no_answer")) return takeMessage(now)
  switch (status) {
    case "no_answer":
      return [rejected(now, "no_answer", "no_answer", "callee")]
    case "busy":
      return [rejected(now, "busy", "user_busy", "callee")]
    default:
      return [refusedAll(call, refusalOf(dial), now)]
  }
}

/**
 * The next events of the call; none while it waits. An action that takes time or needs the PBX needs an answer first.
 */
export const nextInSetup = (call: RingingCall, now: number): Events => {
  const { dial, reception, script } = call
  if (reception === null || script === null || script.question !== null) return []
  if (dial !== null && isFinished(dial)) return notTaken(call, dial, now)
  if (reception.step !== "asking") return []
  const action = currentAction(call)
  if (action === undefined) return [rejected(now, "canceled", "actions_ended", "workspace")]
  const step = engineStep(action)
  if (step === undefined) return [{ _tag: "Answering", at: now }]
  if (step.kind !== "end") return stepEvents(call, step, now)
  const { cause, status, trigger } = refusals[step.reason]
  if (trigger !== undefined && takesMessage(reception.voicemail, trigger)) return takeMessage(now)
  return [rejected(now, status, cause, "workspace")]
}
