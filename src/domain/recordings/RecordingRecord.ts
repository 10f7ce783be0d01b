// A recording as customers see it (docs/recordings.md).
import { Schema } from "effect"

/**
 * in_progress: the PBX records. processing: its file is checked and stored. expired: its time, or the workspace's
 * storage, ran out. deleted: the workspace deleted it.
 */
export const RecordingStatus = Schema.Literals([
  "in_progress",
  "processing",
  "available",
  "failed",
  "expired",
  "deleted"
])
export type RecordingStatus = typeof RecordingStatus.Type

/** What asked for it. */
export const RecordingSource = Schema.Literals(["dial", "originate", "routing", "verb"])
export type RecordingSource = typeof RecordingSource.Type

/** Why an audio is no longer there. */
export const GoneReason = Schema.Literals(["retention", "storage_full", "deleted"])
export type GoneReason = typeof GoneReason.Type

const Instant = Schema.String

export const RecordingRecord = Schema.Struct({
  id: Schema.String,
  call_id: Schema.String,
  status: RecordingStatus,
  source: RecordingSource,
  channels: Schema.Literals([1, 2]).annotate({ description: "2: what each side says is in a channel of its own." }),
  format: Schema.Literals(["mp3", "wav", "ogg"]),
  duration_seconds: Schema.NullOr(Schema.Int).annotate({ description: "Rounded up; null until it is available." }),
  size_bytes: Schema.NullOr(Schema.Int),
  sha256: Schema.NullOr(Schema.String).annotate({ description: "Of the audio as it is downloaded, in hex." }),
  error: Schema.NullOr(Schema.String).annotate({ description: "Why it failed." }),
  reason: Schema.NullOr(GoneReason).annotate({ description: "Why it is no longer there." }),
  created_at: Instant.annotate({ description: "When the recording began." }),
  expires_at: Schema.NullOr(Instant).annotate({
    description: "When it is deleted at the latest; null until it is available."
  })
}).annotate({ identifier: "Recording" })
export type RecordingRecord = typeof RecordingRecord.Type
