// A recording as its actor remembers it. Instants are epoch milliseconds.
import type { Origin } from "../access/Origin.ts"
import type { FinishedAudio } from "./FinishedAudio.ts"
import type { RecordingFacts } from "./RecordingCommand.ts"
import type { GoneReason, RecordingRecord, RecordingStatus } from "./RecordingRecord.ts"

/** The audio that is stored. */
export interface StoredAudio {
  readonly size_bytes: number
  readonly duration_ms: number
  readonly sha256: string
  readonly available_at: number
  readonly expires_at: number
}

export interface Recording {
  readonly id: string
  /** Null until it begins. */
  readonly facts: RecordingFacts | null
  readonly status: RecordingStatus
  /** What the PBX left in the spool, and when it said so; null once the file is removed from there. */
  readonly spooled: (FinishedAudio & { readonly at: number }) | null
  readonly audio: StoredAudio | null
  readonly error: string | null
  readonly reason: GoneReason | null
  /** The audio is no longer to be had, and not yet erased from the store. */
  readonly erasing: boolean
  /** What the call last heard of it. */
  readonly told_call: RecordingStatus | null
  /** Whether the workspace's storage knows that its audio takes up room. */
  readonly counted: boolean
}

export type RecordingEvent =
  | { readonly _tag: "Started"; readonly facts: RecordingFacts }
  | { readonly _tag: "Finished"; readonly at: number; readonly audio: FinishedAudio }
  | { readonly _tag: "Stored"; readonly audio: StoredAudio }
  | { readonly _tag: "Failed"; readonly error: string }
  | { readonly _tag: "Went"; readonly at: number; readonly reason: GoneReason; readonly origin?: Origin }
  /** Changes nothing: it is for the audit log. */
  | { readonly _tag: "HandedOut"; readonly at: number; readonly origin: Origin }
  | { readonly _tag: "SpoolCleared" }
  | { readonly _tag: "Erased" }
  | { readonly _tag: "CallTold"; readonly status: RecordingStatus }
  | { readonly _tag: "StorageTold"; readonly counted: boolean }

export const absentRecording = (id: string): Recording => ({
  id,
  facts: null,
  status: "in_progress",
  spooled: null,
  audio: null,
  error: null,
  reason: null,
  erasing: false,
  told_call: null,
  counted: false
})

export type BegunRecording = Recording & { readonly facts: RecordingFacts }

export const isBegun = (recording: Recording): recording is BegunRecording => recording.facts !== null

export const evolveRecording = (recording: Recording, event: RecordingEvent): Recording => {
  switch (event._tag) {
    case "Started":
      // The call that began it knows.
      return { ...recording, facts: event.facts, told_call: "in_progress" }
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

export const recordingRecord = ({ audio, error, facts, id, reason, status }: BegunRecording): RecordingRecord => ({
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
