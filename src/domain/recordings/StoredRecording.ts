// The stored state of a recording.
import { Schema } from "effect"
import { storedState } from "../state/StoredState.ts"
import { FinishedAudio } from "./FinishedAudio.ts"
import type { PresentRecording } from "./Recording.ts"
import { RecordingFacts } from "./RecordingCommand.ts"
import { GoneReason, RecordingStatus } from "./RecordingRecord.ts"
import { RecordingId } from "../BrandedIds.ts"

const Instant = Schema.Int

const StoredRecording = Schema.Struct({
  id: RecordingId,
  facts: RecordingFacts,
  status: RecordingStatus,
  spooled: Schema.NullOr(Schema.Struct({ ...FinishedAudio.fields, at: Instant })),
  audio: Schema.NullOr(
    Schema.Struct({
      size_bytes: Schema.Int,
      duration_ms: Schema.Int,
      sha256: Schema.String,
      available_at: Instant,
      expires_at: Instant
    })
  ),
  error: Schema.NullOr(Schema.String),
  reason: Schema.NullOr(GoneReason),
  erasing: Schema.Boolean,
  told_call: Schema.NullOr(RecordingStatus),
  counted: Schema.Boolean
})

export const recordingState = storedState({
  schema: StoredRecording,
  // Early versions did not notify the storage of recordings.
  upgrades: [(stored) => ({ counted: false, ...stored })]
})

/** Member by member, which is faster than a copy without the tag. */
export const stateOfRecording = (recording: PresentRecording): string =>
  recordingState.write({
    id: recording.id,
    facts: recording.facts,
    status: recording.status,
    spooled: recording.spooled,
    audio: recording.audio,
    error: recording.error,
    reason: recording.reason,
    erasing: recording.erasing,
    told_call: recording.told_call,
    counted: recording.counted
  })

export const restoreRecording = recordingState.restore((stored): PresentRecording => ({ _tag: "Present", ...stored }))
