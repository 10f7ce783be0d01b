// The work that a recording needs in each state.
import { deadline, task, type Work } from "../Decision.ts"
import { storeTimeout_ms } from "./DecideRecording.ts"
import type { FinishedAudio } from "./FinishedAudio.ts"
import type { PresentRecording, Recording } from "./Recording.ts"
import type { RecordingFacts, RecordingMessage } from "./RecordingCommand.ts"
import type { RecordingStatus } from "./RecordingRecord.ts"
import type { CallId, WorkspaceId } from "../BrandedIds.ts"

export type RecordingWork =
  /** Copies the PBX's file into the store and checks it. */
  | { readonly _tag: "StoreAudio"; readonly facts: RecordingFacts; readonly audio: FinishedAudio }
  | { readonly _tag: "ClearSpool"; readonly object_key: string }
  | { readonly _tag: "EraseAudio"; readonly workspace_id: WorkspaceId }
  | {
      readonly _tag: "TellCall"
      readonly call_id: CallId
      readonly status: RecordingStatus
      readonly reason: string | null
    }
  /** Tells the workspace's storage whether the audio takes space. */
  | { readonly _tag: "TellStorage"; readonly workspace_id: WorkspaceId; readonly counted: boolean }

type Works = ReadonlyArray<Work<RecordingMessage, RecordingWork>>

const storeAudio = ({ facts, spooled, status }: PresentRecording): Works =>
  status !== "processing" || spooled === null
    ? []
    : [
        task("store", { _tag: "StoreAudio", facts, audio: spooled }),
        deadline("give-up", spooled.at + storeTimeout_ms, { _tag: "GiveUp" })
      ]

/** The file is removed if the recording failed, too, because nobody needs it then. */
const clearSpool = ({ spooled, status }: PresentRecording): Works =>
  spooled === null || status === "processing"
    ? []
    : [task("clear-spool", { _tag: "ClearSpool", object_key: spooled.object_key })]

const expire = ({ audio, status }: PresentRecording): Works =>
  audio === null || status !== "available" ? [] : [deadline("expire", audio.expires_at, { _tag: "Expire" })]

const tellCall = ({ error, facts, reason, status, told_call }: PresentRecording): Works =>
  status === told_call
    ? []
    : [task(`tell:${status}`, { _tag: "TellCall", call_id: facts.call_id, status, reason: error ?? reason })]

const tellStorage = (recording: PresentRecording): Works => {
  const { workspace_id } = recording.facts
  const counted = recording.status === "available"
  return recording.counted === counted ? [] : [task(`count:${counted}`, { _tag: "TellStorage", workspace_id, counted })]
}

export const planRecording = (recording: Recording): Works => {
  if (recording._tag === "Absent") return []
  const { erasing, facts } = recording
  return [
    ...storeAudio(recording),
    ...clearSpool(recording),
    ...expire(recording),
    ...(erasing ? [task<RecordingWork>("erase", { _tag: "EraseAudio", workspace_id: facts.workspace_id })] : []),
    ...tellCall(recording),
    ...tellStorage(recording)
  ]
}
