// What an answered call makes of what the PBX has played, heard and taken down.
import type { PbxEvent } from "../pbx/PbxEvent.ts"
import { advanced } from "./AdvanceScript.ts"
import { type Call, currentAction, type PlacedCall } from "./Call.ts"
import type { CallEvent } from "./CallEvent.ts"
import type { AnsweredBy } from "./CallRecord.ts"
import { recordingReported } from "./CallRecordings.ts"
import { actionCommandId, actionRecordingId, hearsSpeech } from "./PbxCommands.ts"
import type { Gather, RecordAction } from "./VoiceAction.ts"
import { callback_budget_ms, finished } from "./ScriptSteps.ts"

type Events = ReadonlyArray<CallEvent>

/**
 * `complete`: as many digits as were wanted, the key that ends them, or words. `unavailable`: words alone were wanted, and
 * nobody there understands them.
 */
export type GatherEnd = "complete" | "timeout" | "too_few" | "unavailable"

/** What a PBX says that it has taken down. */
interface Entered {
  readonly digits: string
  readonly result: string | undefined
  readonly speech: string
  readonly confidence: number | null
}

/** Of a gather that the PBX says nothing of. */
export const nothingEntered: Entered = { digits: "", result: undefined, speech: "", confidence: null }

/** Fewer digits than wanted are told for what they are, and not taken for an entry. */
const endOf = ({ min_digits = 0 }: Gather, { digits, result, speech }: Entered): GatherEnd => {
  const complete = result === "complete"
  if (speech !== "") return "complete"
  if (result === "unavailable" && digits === "") return "unavailable"
  if (digits.length < min_digits) return digits === "" && !complete ? "timeout" : "too_few"
  return complete || digits !== "" ? "complete" : "timeout"
}

export const gathered = (gather: Gather, entered: Entered, now: number): CallEvent => {
  const { confidence, digits, speech } = entered
  const spoken = hearsSpeech(gather) && {
    speech: speech === "" ? null : speech,
    confidence: speech === "" ? null : confidence
  }
  return finished(gather.action_url, "gather_completed", { status: endOf(gather, entered), digits, ...spoken }, now)
}

/** `seconds` is what was recorded; null where nothing was. */
export const recorded = (call: Call, { action_url }: RecordAction, seconds: number | null, now: number): CallEvent => {
  const status = seconds === null ? "failed" : "recorded"
  return finished(
    action_url,
    "record_completed",
    { status, recording_id: actionRecordingId(call), duration_seconds: seconds ?? 0 },
    now
  )
}

/** What happened to a recording, and what comes after it where an action was waiting for it. */
export const recordingEvents = (call: PlacedCall, event: PbxEvent, at: number, now: number): Events => {
  const reported = recordingReported(call, event, at)
  const action = call.phase === "answered" ? currentAction(call) : undefined
  const { duration_ms = 0, recording_id } = event.data
  if (action === undefined || !("record" in action) || recording_id !== actionRecordingId(call)) return reported
  if (event.type === "recording.started") return reported
  const seconds = event.type === "recording.completed" ? Math.ceil(duration_ms / 1000) : null
  return advanced(call, [...reported, recorded(call, action.record, seconds, now)], now)
}

/** Said once; what is said later of the same call is not believed. */
export const machineDetected = (call: Call, answered_by: AnsweredBy, confidence: number | null, now: number): Events =>
  call.answered_by === null
    ? [{ _tag: "MachineDetected", at: now, answered_by, confidence, answer_by: now + callback_budget_ms }]
    : []

const judgements: ReadonlyMap<string | undefined, AnsweredBy> = new Map([
  ["human", "human"],
  ["machine", "machine"]
])

/** The action whose command it is, or none: of an action that is over, nothing is heard any more. */
const actionOf = (call: Call, { data }: PbxEvent) =>
  data.command_id === actionCommandId(call) ? currentAction(call) : undefined

export const mediaEvents = (call: Call, event: PbxEvent, at: number, now: number): Events => {
  const { data, type } = event
  switch (type) {
    case "playback.finished": {
      const action = actionOf(call, event)
      return action === undefined || "gather" in action || "record" in action
        ? []
        : advanced(call, [{ _tag: "ActionDone", at: now }], now)
    }
    case "gather.finished": {
      const action = actionOf(call, event)
      if (action === undefined || !("gather" in action)) return []
      const { confidence = null, digits = "", result, speech = "" } = data
      return advanced(call, [gathered(action.gather, { confidence, digits, result, speech }, now)], now)
    }
    case "machine.detected":
      return machineDetected(call, judgements.get(data.result) ?? "unknown", data.confidence ?? null, now)
    case "dtmf":
      return data.digit === undefined
        ? []
        : [{ _tag: "DigitPressed", at, digit: data.digit, duration_ms: data.duration_ms ?? null }]
    default:
      return []
  }
}
