// The state of a recording. Instants are epoch milliseconds.
import type { Origin } from "../access/Origin.ts"
import { presentOf } from "../Presence.ts"
import type { FinishedAudio } from "./FinishedAudio.ts"
import type { RecordingFacts } from "./RecordingCommand.ts"
import type { GoneReason, RecordingRecord, RecordingStatus } from "./RecordingRecord.ts"
import type { RecordingId } from "../BrandedIds.ts"

/** The audio in the store. */
export interface StoredAudio {
  readonly size_bytes: number
  readonly duration_ms: number
  readonly sha256: string
  readonly available_at: number
  readonly expires_at: number
}

/** What is stored of a recording. */
export interface StoredRecording {
  readonly id: RecordingId
  readonly facts: RecordingFacts
  readonly status: RecordingStatus
  /** The file that the PBX left in the spool, and when it reported it. Null once the file was removed from there. */
  readonly spooled: (FinishedAudio & { readonly at: number }) | null
  readonly audio: StoredAudio | null
  readonly error: string | null
  readonly reason: GoneReason | null
  /** The audio is no longer available, but not yet erased from the store. */
  readonly erasing: boolean
  /** The last status of which the call was notified. */
  readonly told_call: RecordingStatus | null
  /** Whether the workspace's storage was notified of the audio. */
  readonly counted: boolean
}

export interface AbsentRecording {
  readonly _tag: "Absent"
  readonly id: RecordingId
}

export interface PresentRecording extends StoredRecording {
  readonly _tag: "Present"
}

export type Recording = AbsentRecording | PresentRecording

export type RecordingEvent =
  | { readonly _tag: "Started"; readonly facts: RecordingFacts }
  | { readonly _tag: "Finished"; readonly at: number; readonly audio: FinishedAudio }
  | { readonly _tag: "Stored"; readonly audio: StoredAudio }
  | { readonly _tag: "Failed"; readonly error: string }
  | { readonly _tag: "Went"; readonly at: number; readonly reason: GoneReason; readonly origin?: Origin }
  /** Changes no state; it is recorded in the audit log. */
  | { readonly _tag: "HandedOut"; readonly at: number; readonly origin: Origin }
  | { readonly _tag: "SpoolCleared" }
  | { readonly _tag: "Erased" }
  | { readonly _tag: "CallTold"; readonly status: RecordingStatus }
  | { readonly _tag: "StorageTold"; readonly counted: boolean }

export const absentRecording = (id: RecordingId): Recording => ({ _tag: "Absent", id })

const startRecording = (id: RecordingId, facts: RecordingFacts): PresentRecording => ({
  _tag: "Present",
  id,
  facts,
  status: "in_progress",
  spooled: null,
  audio: null,
  error: null,
  reason: null,
  erasing: false,
  // The call that began the recording knows.
  told_call: "in_progress",
  counted: false
})

export const evolveRecording = (state: Recording, event: RecordingEvent): PresentRecording => {
  if (event._tag === "Started") return startRecording(state.id, event.facts)
  const recording = presentOf(state)
  switch (event._tag) {
    case "Finished":
      return { ...recording, status: "processing", spooled: { ...event.audio, at: event.at }, told_call: "processing" }
    case "Stored":
      return { ...recording, status: "available", audio: event.audio }
    case "Failed":
      return { ...recording, status: "failed", error: event.error }
    case "Went":
      return {
        ...recording,
        status: event.reason === "deleted" ? "deleted" : "expired",
        reason: event.reason,
        erasing: true
      }
    case "HandedOut":
      return recording
    case "SpoolCleared":
      return { ...recording, spooled: null }
    case "Erased":
      return { ...recording, erasing: false }
    case "CallTold":
      return { ...recording, told_call: event.status }
    case "StorageTold":
      return { ...recording, counted: event.counted }
  }
}

/** The recording as customers see it. */
export const recordingRecord = ({ audio, error, facts, id, reason, status }: StoredRecording): RecordingRecord => ({
  id,
  call_id: facts.call_id,
  status,
  source: facts.source,
  channels: facts.channels,
  format: "wav",
  duration_seconds: audio === null ? null : Math.ceil(audio.duration_ms / 1000),
  size_bytes: audio?.size_bytes ?? null,
  sha256: audio?.sha256 ?? null,
  error,
  reason,
  created_at: new Date(facts.started_at).toISOString(),
  expires_at: audio === null ? null : new Date(audio.expires_at).toISOString()
})
