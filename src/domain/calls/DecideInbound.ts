// The rules of an inbound call before it is answered: docs/inbound.md tells them to customers. It costs nothing until then.
import { Result } from "effect"
import type { Decided } from "../Decision.ts"
import { rejected } from "./AdvanceInbound.ts"
import { advanced } from "./AdvanceScript.ts"
import type { Call, PlacedCall } from "./Call.ts"
import type { CallMessage, CallRules } from "./CallCommand.ts"
import type { CallEvent } from "./CallEvent.ts"
import { evolveCall } from "./EvolveCall.ts"
import type { Failure } from "../errors/Failure.ts"
import { decidePbxEvent } from "./DecidePbxEvent.ts"
import { limited } from "./MaxTalkTime.ts"
import type { VoiceAction } from "./VoiceAction.ts"

const happened = (...events: ReadonlyArray<CallEvent>) => Result.succeed({ events, reply: undefined })
const nothing = happened()

/** A session that comes in makes a call. A number that the workspace does not have leads nowhere. */
export const received = (
  call: Call,
  { event, facts, forward, no_funds_message }: CallMessage<"Incoming">,
  now: number
) => {
  const begun: CallEvent = { _tag: "Received", facts, reception: { step: "admitting", forward, no_funds_message } }
  const told = decidePbxEvent(evolveCall(call, begun) as PlacedCall, event, now)
  const end = facts.number_id === null ? [rejected(now, "failed", "no_route", "platform")] : []
  return Result.map(told, ({ events, reply }) => ({ events: [begun, ...events, ...end], reply }))
}

/** The money is there. Who answers to the number is asked or rung; where nobody does, it leads nowhere. */
export const admitted: CallRules["Admitted"] = (call, { available_minor }, now) => {
  if (call.reception?.step !== "admitting") return nothing
  const leads = call.facts.voice_callback_url !== null || call.reception.forward !== null
  if (!leads) return happened(rejected(now, "failed", "no_route", "platform"))
  return happened({ _tag: "Admitted", at: now }, ...limited(call, { at: now, available_minor }))
}

export const notAdmitted: CallRules["NotAdmitted"] = (call, { cause }, now) =>
  call.reception?.step === "admitting" ? happened(rejected(now, "failed", cause, "platform")) : nothing

/** What is done before a call is answered; a rejection behind anything else comes too late. */
const isDoneBefore = (action: VoiceAction): boolean => "tag" in action || "redirect" in action

export const lateReject = (actions: ReadonlyArray<VoiceAction>) => {
  const index = actions.findIndex((action) => "reject" in action)
  if (index === -1 || actions.slice(0, index).every(isDoneBefore)) return undefined
  return { pointer: `/actions/${index}/reject`, detail: "By then the call is answered, and can no longer be rejected." }
}

const isAsked = ({ reception, script }: Call, step: number): boolean =>
  reception?.step === "asking" && script?.step === step && script.question !== null

export const refusedByCallback: CallRules["CallbackFailed"] = (call, { _tag, step, ...failure }, now) =>
  isAsked(call, step)
    ? happened({ _tag, at: now, ...failure }, rejected(now, "failed", failure.cause, "platform"))
    : nothing

export const toldByCallback: CallRules["CallbackSucceeded"] = (call, { actions, step }, now) => {
  if (!isAsked(call, step)) return nothing
  const late = lateReject(actions)
  return late === undefined
    ? happened(...advanced(call, [{ _tag: "CallbackAnswered", at: now, actions }], now))
    : refusedByCallback(
        call,
        { _tag: "CallbackFailed", step, cause: "voice_action_invalid", http_status: null, ...late },
        now
      )
}

/** Legs are heard of by a call that is received; one that only rings has none. */
export const inReception =
  <M, E extends Failure>(rule: (call: PlacedCall, command: M, now: number) => Decided<CallEvent, void, E>) =>
  (call: PlacedCall, command: M, now: number) =>
    call.reception === null ? nothing : rule(call, command, now)
