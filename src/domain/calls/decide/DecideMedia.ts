// What an answered call makes of the PBX's reports on media: actions that have ended, machine detection, digits.
import type { PbxEvent } from "../../pbx/PbxEvent.ts"
import { advanced } from "./AdvanceScript.ts"
import { type Call, currentAction, type PlacedCall } from "../state/Call.ts"
import type { CallEvent } from "../state/CallEvent.ts"
import type { AnsweredBy } from "../state/CallRecord.ts"
import { isOfRecording, recordingReported } from "../state/CallRecordings.ts"
import { actionCommandId, actionRecordingId } from "../state/PbxCommands.ts"
import { unspoken } from "../state/Refusal.ts"
import { actionReported, callbackBudget_ms } from "./ScriptSteps.ts"
import { verbOf } from "../verbs/VoiceAction.ts"

type Events = ReadonlyArray<CallEvent>

/** Whether the event is about the current action, and not about an earlier one. */
const isOfCurrentAction = (call: Call, event: PbxEvent): boolean =>
  isOfRecording(event)
    ? event.data.recording_id === actionRecordingId(call)
    : event.data.command_id === actionCommandId(call)

/** The end of the current action, if the event reports it. */
const reportedEnd = (call: PlacedCall, event: PbxEvent, now: number): CallEvent | undefined => {
  const action = currentAction(call)
  if (action === undefined) return undefined
  if (unspoken(call.dial) !== undefined)
    return event.type === "playback.finished" && isOfCurrentAction(call, event)
      ? { _tag: "RefusalSpoken", at: now }
      : undefined
  const { run } = verbOf(action).verb
  return run.by === "pbx" && run.reports.includes(event.type) && isOfCurrentAction(call, event)
    ? actionReported(call, action, event, now)
    : undefined
}

/** What happened to a recording, and what follows if the current action was waiting for it. */
export const recordingEvents = (call: PlacedCall, event: PbxEvent, at: number, now: number): Events => {
  const reported = recordingReported(call, event, at)
  const end = call.phase === "answered" ? reportedEnd(call, event, now) : undefined
  return end === undefined ? reported : advanced(call, [...reported, end], now)
}

/** The first verdict counts. */
export const machineDetected = (
  call: PlacedCall,
  answered_by: AnsweredBy,
  confidence: number | null,
  now: number
): Events => {
  const answer_by = now + callbackBudget_ms
  return call.answered_by === null
    ? advanced(call, [{ _tag: "MachineDetected", at: now, answered_by, confidence, answer_by }], now)
    : []
}

const verdicts: ReadonlyMap<string | undefined, AnsweredBy> = new Map([
  ["human", "human"],
  ["machine", "machine"]
])

/** `at`: when the event happened at the PBX. */
export const mediaEvents = (call: PlacedCall, event: PbxEvent, at: number, now: number): Events => {
  const { data, type } = event
  switch (type) {
    case "machine.detected":
      return machineDetected(call, verdicts.get(data.result) ?? "unknown", data.confidence ?? null, now)
    case "dtmf":
      return data.digit === undefined
        ? []
        : [{ _tag: "DigitPressed", at, digit: data.digit, duration_ms: data.duration_ms ?? null }]
    default: {
      const end = reportedEnd(call, event, now)
      return end === undefined ? [] : advanced(call, [end], now)
    }
  }
}
