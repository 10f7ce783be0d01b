// Everything that can be asked of a recording, and what it answers.
import { Schema } from "effect"
import { Origin } from "../access/Origin.ts"
import { tagged } from "../Tagged.ts"
import { FinishedAudio } from "./FinishedAudio.ts"
import { RecordingRecord, RecordingSource, RecordingStatus } from "./RecordingRecord.ts"

/** What is fixed when it begins. */
export const RecordingFacts = Schema.Struct({
  workspace_id: Schema.String,
  call_id: Schema.String,
  source: RecordingSource,
  channels: Schema.Literals([1, 2]),
  started_at: Schema.Int
})
export type RecordingFacts = typeof RecordingFacts.Type

export const RecordingCommand = Schema.Union([
  /** The PBX records. */
  tagged("Start", { facts: RecordingFacts }),
  /** The PBX has left its file. */
  tagged("Finish", { audio: FinishedAudio }),
  /** The PBX could not record, or never said what became of it. */
  tagged("Fail", { error: Schema.String }),
  /** Its audio is in the store, and is what the PBX said. */
  tagged("Store", {
    size_bytes: Schema.Int,
    duration_ms: Schema.Int,
    sha256: Schema.String,
    retention_days: Schema.Int
  }),
  /** Told by the runtime: the file could not be fetched or stored for too long. */
  tagged("GiveUp", {}),
  tagged("SpoolCleared", {}),
  /** Told by the runtime when its time is over. */
  tagged("Expire", {}),
  /** The workspace's storage is full. */
  tagged("Evict", {}),
  tagged("Delete", { origin: Origin }),
  /** Somebody is given a link to the audio. */
  tagged("HandOut", { origin: Origin }),
  tagged("Erased", {}),
  tagged("CallTold", { status: RecordingStatus }),
  tagged("StorageTold", { counted: Schema.Boolean })
])
export type RecordingCommand = typeof RecordingCommand.Type

export const RecordingReply = Schema.Union([tagged("Noted", {}), tagged("Shown", { record: RecordingRecord })])
export type RecordingReply = typeof RecordingReply.Type
