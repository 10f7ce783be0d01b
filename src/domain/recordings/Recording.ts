// The state of a recording. Instants are epoch milliseconds.
import { Schema } from "effect"
import type { Origin } from "../access/Origin.ts"
import { RecordingId } from "../BrandedIds.ts"
import { EpochMs, orNull } from "../kit/Fields.ts"
import { recordOf } from "../kit/RecordOf.ts"
import { presentOf } from "../Presence.ts"
import { beginningOf, beginsAs, given, type StateOf } from "../state/StateMembers.ts"
import { FinishedAudio } from "./FinishedAudio.ts"
import { RecordingFacts } from "./RecordingCommand.ts"
import { GoneReason, RecordingRecord, RecordingStatus } from "./RecordingRecord.ts"
import { isoInstant } from "../kit/Instants.ts"

/** The audio in the store. */
const StoredAudio = Schema.Struct({
  size_bytes: Schema.Int,
  duration_ms: Schema.Int,
  sha256: Schema.String,
  available_at: EpochMs,
  expires_at: EpochMs
})
type StoredAudio = typeof StoredAudio.Type

/** The members in the order in which they are stored. Their spelling is kept. */
export const recordingMembers = {
  id: given(RecordingId),
  facts: given(RecordingFacts),
  status: beginsAs(RecordingStatus, "in_progress"),
  /** The file that the PBX left in the spool, and when it reported it. Null once the file was removed from there. */
  spooled: beginsAs(orNull(Schema.Struct({ ...FinishedAudio.fields, at: EpochMs })), null),
  audio: beginsAs(orNull(StoredAudio), null),
  error: beginsAs(orNull(Schema.String), null),
  reason: beginsAs(orNull(GoneReason), null),
  /** The audio is no longer available, but not yet erased from the store. */
  erasing: beginsAs(Schema.Boolean, false),
  /** The last status of which the call was notified. The call that began the recording knows. */
  told_call: beginsAs(orNull(RecordingStatus), "in_progress"),
  /** Whether the workspace's storage was notified of the audio. */
  counted: beginsAs(Schema.Boolean, false)
}

/** What is stored of a recording. */
export type StoredRecording = StateOf<typeof recordingMembers>

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
  ...beginningOf(recordingMembers),
  id,
  facts
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
export const recordingRecord = ({ audio, facts, ...recording }: StoredRecording): RecordingRecord =>
  recordOf(
    RecordingRecord,
    { ...facts, ...recording },
    {
      format: "wav",
      duration_seconds: audio === null ? null : Math.ceil(audio.duration_ms / 1000),
      size_bytes: audio?.size_bytes ?? null,
      sha256: audio?.sha256 ?? null,
      created_at: isoInstant(facts.started_at),
      expires_at: audio === null ? null : isoInstant(audio.expires_at)
    }
  )
