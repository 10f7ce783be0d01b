// The recordings of a call. The PBX starts and ends them. Each has an actor of its own, with which the call exchanges
// messages.
import { deadline, task, type Deadline, type Task } from "../../Decision.ts"
import type { PbxEvent } from "../../pbx/PbxEvent.ts"
import { isRecordingOf, recordingIdOf } from "../../recordings/RecordingId.ts"
import type { RecordingSource, RecordingStatus } from "../../recordings/RecordingRecord.ts"
import { recordWish, type RecordWish } from "../../recordings/RecordMode.ts"
import type { Call, CallRecording, PlacedCall, RecordingOutcome } from "./Call.ts"
import type { RecordingId } from "../../BrandedIds.ts"

export type RecordingEvent =
  | { readonly _tag: "RecordingStarted"; readonly recording: CallRecording }
  | { readonly _tag: "RecordingEnded"; readonly recording_id: RecordingId; readonly outcome: RecordingOutcome }
  | { readonly _tag: "RecordingNotified"; readonly recording_id: RecordingId; readonly told: "start" | "outcome" }
  | {
      readonly _tag: "RecordingChanged"
      readonly at: number
      readonly recording_id: RecordingId
      readonly status: RecordingStatus
      /** Why it failed or was deleted. */
      readonly reason: string | null
    }

/** Sends the start, or the outcome, to the actor of the recording. */
export type NotifyRecording = { readonly _tag: "NotifyRecording"; readonly recording: CallRecording }

export type RecordingUnreported = { readonly _tag: "RecordingUnreported"; readonly recording_id: RecordingId }

/** A PBX that reports more is broken. */
const maxRecordings = 200
/** How long after the end of a call the PBX has to report the outcome of a recording. */
const reportTimeout_ms = 300_000

const none: ReadonlyArray<CallRecording> = []

export const recordingsOf = (call: Call): ReadonlyArray<CallRecording> => call.recordings ?? none

/** How the PBX is to record the whole call; undefined if it is not to, or has started already. */
export const recordingWanted = (call: PlacedCall): RecordWish | undefined => {
  const { record } = call.facts
  if (record === undefined || call.pbx.seq === 0) return undefined
  const id = recordingIdOf(call.id, 0)
  return recordingsOf(call).some((recording) => recording.id === id) ? undefined : recordWish(record)
}

const sourceOf = ({ facts: { direction, kind, parent_call_id } }: PlacedCall): RecordingSource =>
  kind === "dial" || (kind === "chatapp" && parent_call_id !== null)
    ? "dial"
    : direction === "inbound"
      ? "routing"
      : "originate"

const newRecording = (call: PlacedCall, id: RecordingId, started_at: number): CallRecording => {
  const whole = id === recordingIdOf(call.id, 0)
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

/** Without a recording id the event is about the recording of the whole call. Ids of other calls are ignored. */
export const recordingReported = (call: PlacedCall, event: PbxEvent, at: number): ReadonlyArray<RecordingEvent> => {
  const recording_id = event.data.recording_id ?? recordingIdOf(call.id, 0)
  const known = recordingsOf(call).find(({ id }) => id === recording_id)
  if (known === undefined && (!isRecordingOf(call.id, recording_id) || recordingsOf(call).length >= maxRecordings))
    return []
  const started: ReadonlyArray<RecordingEvent> =
    known === undefined ? [{ _tag: "RecordingStarted", recording: newRecording(call, recording_id, at) }] : []
  if (event.type === "recording.started" || (known?.outcome ?? null) !== null) return started
  return [...started, { _tag: "RecordingEnded", recording_id, outcome: outcomeOf(event) }]
}

const withRecording = (
  call: PlacedCall,
  id: string,
  change: (recording: CallRecording) => CallRecording
): PlacedCall => ({
  ...call,
  recordings: recordingsOf(call).map((recording) => (recording.id === id ? change(recording) : recording))
})

export const evolveRecordings = (call: PlacedCall, event: RecordingEvent): PlacedCall => {
  switch (event._tag) {
    case "RecordingStarted":
      return { ...call, recordings: [...recordingsOf(call), event.recording] }
    case "RecordingEnded": {
      const { outcome } = event
      return withRecording(call, event.recording_id, (recording) => ({
        ...recording,
        outcome,
        status: "audio" in outcome ? "processing" : recording.status
      }))
    }
    case "RecordingNotified":
      return withRecording(call, event.recording_id, (recording) => ({ ...recording, told: event.told }))
    case "RecordingChanged":
      return withRecording(call, event.recording_id, (recording) => ({ ...recording, status: event.status }))
  }
}

/** The recording that records of the call show: the newest available one, or else the newest. */
export const shownRecording = (call: Call): CallRecording | undefined => {
  const recordings = recordingsOf(call)
  return recordings.findLast(({ status }) => status === "available") ?? recordings.at(-1)
}

/** What the actor of the recording must know. */
const goal = ({ outcome }: CallRecording) => (outcome === null ? "start" : "outcome")

export const planRecordings = (
  call: PlacedCall
): ReadonlyArray<Task<NotifyRecording> | Deadline<RecordingUnreported>> => {
  const { ended_at } = call
  return recordingsOf(call).flatMap((recording) => {
    const { id, outcome, told } = recording
    return [
      ...(told === goal(recording)
        ? []
        : [task<NotifyRecording>(`recording:${id}:${goal(recording)}`, { _tag: "NotifyRecording", recording })]),
      ...(outcome === null && ended_at !== null
        ? [
            deadline<RecordingUnreported>(`recording:${id}:lost`, ended_at + reportTimeout_ms, {
              _tag: "RecordingUnreported",
              recording_id: id
            })
          ]
        : [])
    ]
  })
}
