// The id of a recording follows from its call's id, so a recording that is requested twice is created once.
import { type CallId, type RecordingId, toRecordingId, type WorkspaceId } from "../BrandedIds.ts"

/**
 * Number 0 is the recording of the whole call; recordings by voice actions count from 1. The ids are UUIDs of version 8
 * (RFC 9562, section 5.8), which no call's id is.
 */
export const recordingIdOf = (call_id: CallId, number: number): RecordingId => {
  const tail = BigInt(`0x${call_id.slice(-12)}`) ^ (BigInt(number) << 16n)
  return toRecordingId(`${call_id.slice(0, 14)}8${call_id.slice(15, -12)}${tail.toString(16).padStart(12, "0")}`)
}

/** Whether the id is one of this call's recordings. */
export const isRecordingOf = (call_id: CallId, id: string): boolean =>
  id.length === call_id.length &&
  id[14] === "8" &&
  id.slice(0, 14) === call_id.slice(0, 14) &&
  id.slice(15, -12) === call_id.slice(15, -12) &&
  id.slice(-4) === call_id.slice(-4)

/** Addresses the audio of one recording. Audio stored for one cannot be read as that of another. */
export interface AudioOf {
  readonly workspace_id: WorkspaceId
  readonly recording_id: RecordingId
}
