// What a call does next by itself: it carries out actions that take no time, and goes on after an action that has
// ended.
import { nextInSetup } from "./AdvanceInbound.ts"
import { type AnsweredCall, currentAction, type PlacedCall } from "../state/Call.ts"
import type { CallEvent } from "../state/CallEvent.ts"
import type { HangupCause } from "../state/CallRecord.ts"
import { callbacksLoop } from "../state/CallbackLog.ts"
import { dialResult, isFinished } from "../state/Dial.ts"
import { conferenceStepDone } from "./ConferenceStep.ts"
import { streamStepDone } from "./CallStreams.ts"
import { completed, rejected } from "./EndCall.ts"
import { evolveAll } from "./EvolveCall.ts"
import { spokenInScript, unspoken } from "../state/Refusal.ts"
import { actionFinished, stepEvents } from "./ScriptSteps.ts"
import { engineStep, payloadOf } from "../verbs/VoiceAction.ts"
import { voiceVerbs } from "../verbs/VoiceVerbs.ts"

type Events = ReadonlyArray<CallEvent>

/** Far more steps than a conversation takes: the script loops. */
const maxSteps = 10_000

const causes = { normal: "normal_clearing", busy: "user_busy", rejected: "call_rejected" } as const

/** A script that hangs up on a machine without having engaged it was waiting for a person. */
const causeOfHangup = ({ answered_by, engaged }: PlacedCall, reason: keyof typeof causes): HangupCause =>
  reason === "normal" && answered_by === "machine" && engaged !== true ? "machine_detected" : causes[reason]

const nextWhenAnswered = (call: AnsweredCall, now: number): Events => {
  const { dial, script } = call
  if (script === null || script.question !== null) return []
  if (script.step >= maxSteps)
    return [completed(call, { at: now, now, cause: "voice_action_invalid", source: "platform" })]
  const action = currentAction(call)
  const end = (cause: HangupCause) => [completed(call, { at: now, now, cause, source: "workspace" })]
  if (action === undefined) return end("actions_ended")
  const dialled = payloadOf(action, "dial")
  if (dialled !== undefined && dial !== null && isFinished(dial)) {
    if (unspoken(dial) !== undefined) return []
    if (spokenInScript(dial) !== undefined && dialled.action_url === undefined)
      return [completed(call, { at: now, now, cause: "destination_refused", source: "platform" })]
    return [actionFinished(dialled.action_url, voiceVerbs.dial.run.result.reason, { ...dialResult(dial) }, now)]
  }
  const stream = payloadOf(action, "stream")
  if (stream !== undefined) return streamStepDone(call, stream, now)
  const conference = payloadOf(action, "conference")
  if (conference !== undefined) return conferenceStepDone(call, conference, now)
  const step = engineStep(action)
  if (step === undefined) return []
  return step.kind === "end" ? end(causeOfHangup(call, step.reason)) : stepEvents(call, step, now)
}

const next = (call: PlacedCall, now: number): Events => {
  switch (call.phase) {
    case "ringing":
      return nextInSetup(call, now)
    case "answered":
      return nextWhenAnswered(call, now)
    default:
      return []
  }
}

/** Ends a call whose callbacks lead to one another. The last question is not asked. */
const endLoop = (call: PlacedCall, now: number): Events => {
  const cause = "voice_action_invalid"
  const failed: CallEvent = {
    _tag: "CallbackFailed",
    at: now,
    cause,
    detail: "The callbacks redirect to one another in a loop.",
    http_status: null,
    pointer: null
  }
  if (call.phase === "answered") return [failed, completed(call, { at: now, now, cause, source: "platform" })]
  return call.phase === "ringing" ? [failed, rejected(now, "failed", cause, "platform")] : []
}

/** These events, followed by all that the script does at once because of them. */
export const advanced = (call: PlacedCall, events: Events, now: number): Events => {
  const all = [...events]
  let after = evolveAll(call, events)
  for (let more = next(after, now); more.length > 0; more = next(after, now)) {
    all.push(...more)
    after = evolveAll(after, more)
  }
  const asks = all.some(({ _tag }) => _tag === "CallbackAsked")
  return asks && callbacksLoop(call.consulted, now) ? [...all, ...endLoop(after, now)] : all
}
