// A recording as customers see it (docs/recordings.md).
import { Schema } from "effect"
import { CallId, RecordingId } from "../BrandedIds.ts"

/**
 * in_progress: the PBX is recording. processing: the file is being checked and stored. expired: the retention period is
 * over, or the workspace's storage was full. deleted: the workspace deleted it.
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

/** What requested the recording. */
export const RecordingSource = Schema.Literals(["dial", "originate", "routing", "verb"])
export type RecordingSource = typeof RecordingSource.Type

/** Why the audio was removed. */
export const GoneReason = Schema.Literals(["retention", "storage_full", "deleted"])
export type GoneReason = typeof GoneReason.Type

const Instant = Schema.String

export const RecordingRecord = Schema.Struct({
  id: RecordingId.annotate({ description: "The id of the recording." }),
  call_id: CallId,
  status: RecordingStatus.annotate({ description: "The state of the recording." }),
  source: RecordingSource.annotate({ description: "What asked for the recording." }),
  channels: Schema.Literals([1, 2]).annotate({ description: "2: each side of the call has its own channel." }),
  format: Schema.Literals(["mp3", "wav", "ogg"]),
  duration_seconds: Schema.NullOr(Schema.Int).annotate({
    description: "Rounded up; null until the recording is available."
  }),
  size_bytes: Schema.NullOr(Schema.Int),
  sha256: Schema.NullOr(Schema.String).annotate({ description: "SHA-256 of the downloaded audio, in hex." }),
  error: Schema.NullOr(Schema.String).annotate({ description: "Why the recording failed." }),
  reason: Schema.NullOr(GoneReason).annotate({ description: "Why the audio was removed." }),
  created_at: Instant.annotate({ description: "When the recording began." }),
  expires_at: Schema.NullOr(Instant).annotate({
    description: "When it is deleted at the latest; null until the recording is available."
  })
}).annotate({ identifier: "Recording" })
export type RecordingRecord = typeof RecordingRecord.Type

export interface RecordingFilter {
  readonly status?: string
  readonly call_id?: CallId
  /** Epoch milliseconds; at or after. */
  readonly created_after?: number
  /** Epoch milliseconds; before. */
  readonly created_before?: number
}
