// The commands of a recording.
import { Schema } from "effect"
import { Origin } from "../access/Origin.ts"
import { commandsOf, type Message, type Tag } from "../Command.ts"
import { RecordingExpired, RecordingNotFound, RecordingProcessing } from "../errors/CallErrors.ts"
import { FinishedAudio } from "./FinishedAudio.ts"
import { RecordingRecord, RecordingSource, RecordingStatus } from "./RecordingRecord.ts"
import { CallId, WorkspaceId } from "../BrandedIds.ts"

/** What is fixed when the recording begins. */
export const RecordingFacts = Schema.Struct({
  workspace_id: WorkspaceId,
  call_id: CallId,
  source: RecordingSource,
  channels: Schema.Literals([1, 2]),
  /** Epoch milliseconds. */
  started_at: Schema.Int
})
export type RecordingFacts = typeof RecordingFacts.Type

const errors = [RecordingNotFound] as const
/** For commands that need the audio. */
const audioErrors = [RecordingNotFound, RecordingProcessing, RecordingExpired] as const

export const RecordingCommands = commandsOf("Recording", {
  /** The PBX has begun to record. */
  Start: { payload: { facts: RecordingFacts } },
  /** The PBX has finished its file. */
  Finish: { payload: { audio: FinishedAudio }, errors },
  /** The PBX could not record, or never reported the end. */
  Fail: { payload: { error: Schema.String }, errors },
  /** The audio is in the store and agrees with what the PBX reported. */
  Store: {
    payload: {
      size_bytes: Schema.Int,
      duration_ms: Schema.Int,
      sha256: Schema.String,
      retention_days: Schema.Int
    },
    errors
  },
  /** Sent by a deadline: the file could not be read or stored for too long. */
  GiveUp: { errors },
  SpoolCleared: { errors },
  /** Sent by a deadline: the retention period is over. */
  Expire: { errors },
  /** The workspace's storage is full. */
  Evict: { errors },
  Delete: { payload: { origin: Origin }, reply: RecordingRecord, errors: audioErrors },
  /** Somebody is given a link to the audio. */
  HandOut: { payload: { origin: Origin }, reply: RecordingRecord, errors: audioErrors },
  Erased: { errors },
  CallTold: { payload: { status: RecordingStatus }, errors },
  StorageTold: { payload: { counted: Schema.Boolean }, errors }
})
export type RecordingCommands = typeof RecordingCommands
export type RecordingMessage<T extends Tag<RecordingCommands> = Tag<RecordingCommands>> = Message<RecordingCommands, T>
