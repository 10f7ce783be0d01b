// The recordings of a call: begun and ended by its PBX, kept by actors of their own, which the call tells and hears from.
import { deadline, task, type Deadline, type Task } from "../Decision.ts"
import type { PbxEvent } from "../pbx/PbxEvent.ts"
import { isRecordingOf, recordingId } from "../recordings/RecordingId.ts"
import type { RecordingSource, RecordingStatus } from "../recordings/RecordingRecord.ts"
import { recordWish, type RecordWish } from "../recordings/RecordMode.ts"
import type { Call, CallRecording, PlacedCall, RecordingOutcome } from "./Call.ts"

export type RecordingEvent =
  | { readonly _tag: "RecordingBegan"; readonly recording: CallRecording }
  | { readonly _tag: "RecordingEnded"; readonly recording_id: string; readonly outcome: RecordingOutcome }
  | { readonly _tag: "RecordingTold"; readonly recording_id: string; readonly told: "start" | "outcome" }
  | {
      readonly _tag: "RecordingChanged"
      readonly at: number
      readonly recording_id: string
      readonly status: RecordingStatus
      /** Why it failed, or is gone. */
      readonly reason: string | null
    }

export type TellRecording = { readonly _tag: "TellRecording"; readonly recording: CallRecording }

export type RecordingUnreported = { readonly _tag: "RecordingUnreported"; readonly recording_id: string }

/** A PBX that names more of them is broken. */
const recordings_max = 200
/** A PBX has so long after the end of a call to say what became of a recording. */
const report_patience_ms = 300_000

const none: ReadonlyArray<CallRecording> = []

export const recordingsOf = (call: Call): ReadonlyArray<CallRecording> => call.recordings ?? none

/** What the PBX is to record of the call as a whole, as long as it has not begun to. */
export const recordingWanted = (call: PlacedCall): RecordWish | undefined => {
  const { record } = call.facts
  if (record === undefined || call.pbx.seq === 0) return undefined
  const id = recordingId(call.id, 0)
  return recordingsOf(call).some((recording) => recording.id === id) ? undefined : recordWish(record)
}

const sourceOf = ({ facts: { direction, kind } }: PlacedCall): RecordingSource =>
  kind === "dial" ? "dial" : direction === "inbound" ? "routing" : "originate"

const begun = (call: PlacedCall, id: string, started_at: number): CallRecording => {
  const whole = id === recordingId(call.id, 0)
  const channels = whole ? (recordWish(call.facts.record)?.channels ?? 1) : 1
  return {
    id,
    source: whole ? sourceOf(call) : "verb",
    channels,
    started_at,
    outcome: null,
    told: "nothing",
    status: "in_progress"
  }
}

const outcomeOf = ({ data, type }: PbxEvent): RecordingOutcome => {
  if (type === "recording.failed") return { error: data.error ?? "pbx_error" }
  const { duration_ms = null, object_key, sha256 = null, size_bytes = null } = data
  return object_key === undefined ? { error: "no_file" } : { audio: { object_key, size_bytes, duration_ms, sha256 } }
}

export const isOfRecording = ({ type }: PbxEvent): boolean => type.startsWith("recording.")

/** A PBX that names no recording means the one of the whole call. */
export const recordingReported = (call: PlacedCall, event: PbxEvent, at: number): ReadonlyArray<RecordingEvent> => {
  const recording_id = event.data.recording_id ?? recordingId(call.id, 0)
  const known = recordingsOf(call).find(({ id }) => id === recording_id)
  if (known === undefined && (!isRecordingOf(call.id, recording_id) || recordingsOf(call).length >= recordings_max))
    return []
  const began: ReadonlyArray<RecordingEvent> =
    known === undefined ? [{ _tag: "RecordingBegan", recording: begun(call, recording_id, at) }] : []
  if (event.type === "recording.started" || (known?.outcome ?? null) !== null) return began
  return [...began, { _tag: "RecordingEnded", recording_id, outcome: outcomeOf(event) }]
}

const changing = (call: Call, id: string, change: (recording: CallRecording) => CallRecording): Call => ({
  ...call,
  recordings: recordingsOf(call).map((recording) => (recording.id === id ? change(recording) : recording))
})

export const evolveRecordings = (call: Call, event: RecordingEvent): Call => {
  switch (event._tag) {
    case "RecordingBegan":
      return { ...call, recordings: [...recordingsOf(call), event.recording] }
    case "RecordingEnded": {
      const { outcome } = event
      return changing(call, event.recording_id, (recording) => ({
        ...recording,
        outcome,
        status: "audio" in outcome ? "processing" : recording.status
      }))
    }
    case "RecordingTold":
      return changing(call, event.recording_id, (recording) => ({ ...recording, told: event.told }))
    case "RecordingChanged":
      return changing(call, event.recording_id, (recording) => ({ ...recording, status: event.status }))
  }
}

/** The recording of the call that answers show: of several the newest one that is available, or else the newest. */
export const shownRecording = (call: Call): CallRecording | undefined => {
  const recordings = recordingsOf(call)
  return recordings.findLast(({ status }) => status === "available") ?? recordings.at(-1)
}

const goal = ({ outcome }: CallRecording) => (outcome === null ? "start" : "outcome")

export const planRecordings = (
  call: PlacedCall
): ReadonlyArray<Task<TellRecording> | Deadline<RecordingUnreported>> => {
  const { ended_at } = call
  return recordingsOf(call).flatMap((recording) => {
    const { id, outcome, told } = recording
    return [
      ...(told === goal(recording)
        ? []
        : [
            task<TellRecording>(`recording:${id}:${goal(recording)}`, {
              _tag: "TellRecording",
              recording
            }) as Task<TellRecording>
          ]),
      ...(outcome === null && ended_at !== null
        ? [
            deadline<RecordingUnreported>(`recording:${id}:lost`, ended_at + report_patience_ms, {
              _tag: "RecordingUnreported",
              recording_id: id
            })
          ]
        : [])
    ]
  })
}
