// A recording's rules: in_progress -> processing -> available, and from there expired or deleted; or failed on the way.
import { Result } from "effect"
import type { Decided } from "../Decision.ts"
import { RecordingExpired, RecordingNotFound, RecordingProcessing } from "../errors/CallErrors.ts"
import type { Failure } from "../errors/Failure.ts"
import { type BegunRecording, isBegun, type Recording, type RecordingEvent, recordingRecord } from "./Recording.ts"
import type { RecordingCommand, RecordingReply } from "./RecordingCommand.ts"
import type { GoneReason } from "./RecordingRecord.ts"

type Answer = Decided<RecordingEvent, RecordingReply>
type CommandOf<Tag extends RecordingCommand["_tag"]> = Extract<RecordingCommand, { readonly _tag: Tag }>

const day_ms = 86_400_000
/** A file that cannot be fetched or stored for so long is given up. */
export const actionTimeout_ms = 3_600_000

const noted: RecordingReply = { _tag: "Noted" }
const happened = (...events: ReadonlyArray<RecordingEvent>): Answer => Result.succeed({ events, reply: noted })
const nothing: Answer = Result.succeed({ events: [], reply: noted })

/** Why there is no audio to be had; undefined where there is. */
export const refusalOf = ({ reason, status }: Pick<Recording, "status" | "reason">): Failure | undefined => {
  switch (status) {
    case "in_progress":
    case "processing":
      return new RecordingProcessing()
    case "failed":
      return new RecordingNotFound({ message: "The recording failed: there is no audio." })
    case "expired":
    case "deleted":
      return new RecordingExpired({ ...(reason !== null && { reason }) })
    case "available":
      return undefined
  }
}

const store = ({ status }: Recording, command: CommandOf<"Store">, now: number): Answer => {
  if (status !== "processing") return nothing
  const { _tag, retention_days, ...audio } = command
  return happened({ _tag: "Stored", audio: { ...audio, available_at: now, expires_at: now + retention_days * day_ms } })
}

const fail = ({ status }: Recording, error: string): Answer =>
  status === "in_progress" || status === "processing" ? happened({ _tag: "Failed", error }) : nothing

const goes = ({ status }: Recording, reason: GoneReason, at: number): Answer =>
  status === "available" ? happened({ _tag: "Went", at, reason }) : nothing

const withAudio = (recording: BegunRecording, event: RecordingEvent): Answer => {
  const refusal = refusalOf(recording)
  if (refusal !== undefined) return Result.fail(refusal)
  return Result.succeed({ events: [event], reply: { _tag: "Shown", record: recordingRecord(recording) } })
}

const begun = (recording: BegunRecording, command: RecordingCommand, now: number): Answer => {
  switch (command._tag) {
    case "Start":
      return nothing
    case "Finish":
      return recording.status === "in_progress"
        ? happened({ _tag: "Finished", at: now, audio: command.audio })
        : nothing
    case "Fail":
      return fail(recording, command.error)
    case "GiveUp":
      return recording.spooled !== null && now >= recording.spooled.at + actionTimeout_ms
        ? fail(recording, "unavailable")
        : nothing
    case "Store":
      return store(recording, command, now)
    case "SpoolCleared":
      return recording.spooled === null ? nothing : happened({ _tag: "SpoolCleared" })
    case "Expire":
      return recording.audio !== null && now >= recording.audio.expires_at ? goes(recording, "retention", now) : nothing
    case "Evict":
      return goes(recording, "storage_full", now)
    case "Delete":
      return withAudio(recording, { _tag: "Went", at: now, reason: "deleted", origin: command.origin })
    case "HandOut":
      return withAudio(recording, { _tag: "HandedOut", at: now, origin: command.origin })
    case "Erased":
      return recording.erasing ? happened({ _tag: "Erased" }) : nothing
    case "CallTold":
      return recording.told_call === command.status ? nothing : happened({ _tag: "CallTold", status: command.status })
    case "StorageTold":
      return recording.counted === command.counted
        ? nothing
        : happened({ _tag: "StorageTold", counted: command.counted })
  }
}

export const decideRecording = (recording: Recording, command: RecordingCommand, now: number): Answer => {
  if (isBegun(recording)) return begun(recording, command, now)
  return command._tag === "Start"
    ? happened({ _tag: "Started", facts: command.facts })
    : Result.fail(new RecordingNotFound())
}
