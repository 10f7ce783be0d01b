// The rules of a recording: in_progress -> processing -> available, and from there expired or deleted; or failed before
// that.
import { Result } from "effect"
import { allBut, decideByPresence, refuse, type Rules } from "../Command.ts"
import { RecordingExpired, RecordingNotFound, RecordingProcessing } from "../errors/CallErrors.ts"
import { isPresent } from "../Presence.ts"
import {
  type AbsentRecording,
  type PresentRecording,
  type RecordingEvent,
  recordingRecord,
  type StoredRecording
} from "./Recording.ts"
import { RecordingCommands } from "./RecordingCommand.ts"
import type { GoneReason } from "./RecordingRecord.ts"

type RulesFor<State> = Rules<State, RecordingCommands, RecordingEvent>

const day_ms = 86_400_000
/** After this time, a file that cannot be read or stored is given up. */
export const storeTimeout_ms = 3_600_000

const happened = (event: RecordingEvent) => Result.succeed({ events: [event], reply: undefined })
const nothing = Result.succeed({ events: [], reply: undefined })

/** Why a recording has no audio; undefined if it has. */
export const refusalOf = ({
  reason,
  status
}: Pick<StoredRecording, "status" | "reason">):
  | RecordingProcessing
  | RecordingNotFound
  | RecordingExpired
  | undefined => {
  switch (status) {
    case "in_progress":
    case "processing":
      return new RecordingProcessing()
    case "failed":
      return new RecordingNotFound({ message: "The recording failed, so it has no audio." })
    case "expired":
    case "deleted":
      return new RecordingExpired({ ...(reason !== null && { reason }) })
    case "available":
      return undefined
  }
}

const fail = ({ status }: PresentRecording, error: string) =>
  status === "in_progress" || status === "processing" ? happened({ _tag: "Failed", error }) : nothing

const remove = ({ status }: PresentRecording, reason: GoneReason, at: number) =>
  status === "available" ? happened({ _tag: "Went", at, reason }) : nothing

const withAudio = (recording: PresentRecording, event: RecordingEvent) => {
  const refusal = refusalOf(recording)
  return refusal === undefined
    ? Result.succeed({ events: [event], reply: recordingRecord(recording) })
    : refuse(refusal)
}

const store: RulesFor<PresentRecording>["Store"] = ({ status }, command, now) => {
  if (status !== "processing") return nothing
  const { _tag, retention_days, ...audio } = command
  return happened({ _tag: "Stored", audio: { ...audio, available_at: now, expires_at: now + retention_days * day_ms } })
}

const present: RulesFor<PresentRecording> = {
  Start: () => nothing,
  Finish: ({ status }, { audio }, now) =>
    status === "in_progress" ? happened({ _tag: "Finished", at: now, audio }) : nothing,
  Fail: (recording, { error }) => fail(recording, error),
  GiveUp: (recording, _command, now) =>
    recording.spooled !== null && now >= recording.spooled.at + storeTimeout_ms
      ? fail(recording, "unavailable")
      : nothing,
  Store: store,
  SpoolCleared: ({ spooled }) => (spooled === null ? nothing : happened({ _tag: "SpoolCleared" })),
  Expire: (recording, _command, now) =>
    recording.audio !== null && now >= recording.audio.expires_at ? remove(recording, "retention", now) : nothing,
  Evict: (recording, _command, now) => remove(recording, "storage_full", now),
  Delete: (recording, { origin }, now) => withAudio(recording, { _tag: "Went", at: now, reason: "deleted", origin }),
  HandOut: (recording, { origin }, now) => withAudio(recording, { _tag: "HandedOut", at: now, origin }),
  Erased: ({ erasing }) => (erasing ? happened({ _tag: "Erased" }) : nothing),
  CallTold: ({ told_call }, { status }) => (told_call === status ? nothing : happened({ _tag: "CallTold", status })),
  StorageTold: (recording, { counted }) =>
    recording.counted === counted ? nothing : happened({ _tag: "StorageTold", counted })
}

const absent: RulesFor<AbsentRecording> = {
  ...allBut(RecordingCommands, ["Start"], () => refuse(new RecordingNotFound())),
  Start: (_recording, { facts }) => happened({ _tag: "Started", facts })
}

export const decideRecording = decideByPresence<AbsentRecording, PresentRecording, RecordingCommands, RecordingEvent>({
  isPresent,
  absent,
  present
})
