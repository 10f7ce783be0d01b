// What must be going on while a recording is as it is.
import { deadline, task, type Work } from "../Decision.ts"
import { actionTimeout_ms } from "./DecideRecording.ts"
import type { FinishedAudio } from "./FinishedAudio.ts"
import { isBegun, type Recording } from "./Recording.ts"
import type { RecordingCommand, RecordingFacts } from "./RecordingCommand.ts"
import type { RecordingStatus } from "./RecordingRecord.ts"

export type RecordingWork =
  /** Copies the PBX's file into the store and checks it. */
  | { readonly _tag: "StoreAudio"; readonly facts: RecordingFacts; readonly audio: FinishedAudio }
  | { readonly _tag: "ClearSpool"; readonly object_key: string }
  | { readonly _tag: "EraseAudio"; readonly workspace_id: string }
  | {
      readonly _tag: "TellCall"
      readonly call_id: string
      readonly status: RecordingStatus
      readonly reason: string | null
    }
  /** The storage of the workspace must know that audio has come, or has gone. */
  | { readonly _tag: "TellStorage"; readonly workspace_id: string; readonly counted: boolean }

type Plan = ReadonlyArray<Work<RecordingCommand, RecordingWork>>

const storing = ({ facts, spooled, status }: Recording): Plan =>
  status !== "processing" || spooled === null
    ? []
    : [
        task<RecordingWork>("store", { _tag: "StoreAudio", facts: facts!, audio: spooled }),
        deadline<RecordingCommand>("give-up", spooled.at + actionTimeout_ms, { _tag: "GiveUp" })
      ]

/** Where the audio failed as well: the file is of no use to anybody. */
const clearing = ({ spooled, status }: Recording): Plan =>
  spooled === null || status === "processing"
    ? []
    : [task<RecordingWork>("clear-spool", { _tag: "ClearSpool", object_key: spooled.object_key })]

const telling = ({ error, facts, reason, status, told_call }: Recording): Plan =>
  status === told_call
    ? []
    : [
        task<RecordingWork>(`tell:${status}`, {
          _tag: "TellCall",
          call_id: facts!.call_id,
          status,
          reason: error ?? reason
        })
      ]

const counting = ({ counted, facts, status }: Recording): Plan => {
  const takes_room = status === "available"
  if (counted === takes_room) return []
  return [
    task<RecordingWork>(`count:${takes_room}`, {
      _tag: "TellStorage",
      workspace_id: facts!.workspace_id,
      counted: takes_room
    })
  ]
}

export const planRecording = (recording: Recording): Plan => {
  if (!isBegun(recording)) return []
  const { audio, erasing, facts, status } = recording
  return [
    ...storing(recording),
    ...clearing(recording),
    ...(status === "available" ? [deadline<RecordingCommand>("expire", audio!.expires_at, { _tag: "Expire" })] : []),
    ...(erasing ? [task<RecordingWork>("erase", { _tag: "EraseAudio", workspace_id: facts.workspace_id })] : []),
    ...telling(recording),
    ...counting(recording)
  ]
}
