// The rules of an inbound call before it is answered (docs/inbound.md). It costs nothing until then.
import { Result } from "effect"
import type { Decided } from "../../Decision.ts"
import type { Failure } from "../../errors/Failure.ts"
import { advanced } from "./AdvanceScript.ts"
import { refusedAnswer } from "./CallbackAnswer.ts"
import type { AbsentCall, RingingCall } from "../state/Call.ts"
import type { CallMessage, RulesFor } from "../state/CallCommand.ts"
import type { CallEvent, CallEventOf } from "../state/CallEvent.ts"
import type { CallFacts } from "../state/CallFacts.ts"
import { type ChatAppReception, closedAnnouncement, takesMessage } from "../../chatapp/Reachability.ts"
import { takeMessage } from "./TakeMessage.ts"
import { happened, nothing } from "../state/Decided.ts"
import { decidePbxEvent } from "./DecidePbxEvent.ts"
import { rejected } from "./EndCall.ts"
import { receiveCall } from "./EvolveCall.ts"
import { limitTalk } from "../state/MaxTalkTime.ts"
import { misplacedBeforeAnswer, unsupportedAction } from "../verbs/VoiceAction.ts"

type Inbound = RulesFor<RingingCall>

/** The end of a call that nobody can take, and for which no message is taken either. */
const endAtOnce = (
  { number_id }: CallFacts,
  chatapp: ChatAppReception | undefined,
  now: number
): ReadonlyArray<CallEvent> => {
  if (number_id === null || chatapp?.reachability === "off") return [rejected(now, "failed", "no_route", "platform")]
  return chatapp?.reachability === "closed" && !takesMessage(chatapp.voicemail, "outside_hours")
    ? [rejected(now, "busy", "call_rejected", "workspace", closedAnnouncement)]
    : []
}

/** A session that comes in makes a call. A call to a number that the workspace does not have ends at once. */
export const received = (
  call: AbsentCall,
  { chatapp, event, facts, forward, no_funds_message }: CallMessage<"Incoming">,
  now: number
) => {
  const created: CallEventOf<"Received"> = {
    _tag: "Received",
    facts,
    reception: {
      step: "admitting",
      forward,
      no_funds_message,
      ...(chatapp?.voicemail && { voicemail: chatapp.voicemail }),
      ...(chatapp?.reachability === "closed" && { closed: true })
    }
  }
  const end = endAtOnce(facts, chatapp, now)
  return Result.map(decidePbxEvent(receiveCall(call, created), event, now), ({ events, reply }) => ({
    events: [created, ...events, ...end],
    reply
  }))
}

/** The first minute is held. The voice_url is asked or the forward is dialled; without either the call ends. */
export const admitted: Inbound["Admitted"] = (call, { available_minor }, now) => {
  if (call.reception?.step !== "admitting") return nothing
  const { closed, forward, voicemail } = call.reception
  const hasRoute = call.facts.voice_callback_url !== null || forward !== null
  const takes = closed === true || (!hasRoute && takesMessage(voicemail, "no_answer"))
  if (!hasRoute && !takes) return happened(rejected(now, "failed", "no_route", "platform"))
  const admission = [{ _tag: "Admitted", at: now }, ...limitTalk(call, { at: now, available_minor })] as const
  return takes ? happened(...admission, ...takeMessage(now)) : happened(...admission)
}

export const notAdmitted: Inbound["NotAdmitted"] = (call, { cause }, now) =>
  call.reception?.step === "admitting" ? happened(rejected(now, "failed", cause, "platform")) : nothing

const isAsking = ({ reception, script }: RingingCall, step: number): boolean =>
  reception?.step === "asking" && script?.step === step && script.question !== null

export const setupCallbackFailed: Inbound["CallbackFailed"] = (call, { _tag, step, ...failure }, now) =>
  isAsking(call, step)
    ? happened({ _tag, at: now, ...failure }, rejected(now, "failed", failure.cause, "platform"))
    : nothing

export const setupCallbackSucceeded: Inbound["CallbackSucceeded"] = (call, message, now) => {
  const { _tag: _, step, ...answer } = message
  if (!isAsking(call, step)) return nothing
  const misplaced = misplacedBeforeAnswer(answer.actions) ?? unsupportedAction(answer.actions, call.facts.capabilities)
  return misplaced === undefined
    ? happened(...advanced(call, [{ _tag: "CallbackAnswered", at: now, ...answer }], now))
    : setupCallbackFailed(call, refusedAnswer(message, misplaced), now)
}

/** Only a call that came in has legs before it is answered. */
export const inSetup =
  <M, E extends Failure>(rule: (call: RingingCall, command: M, now: number) => Decided<CallEvent, void, E>) =>
  (call: RingingCall, command: M, now: number) =>
    call.reception === null ? nothing : rule(call, command, now)
