// A recording. Its id follows from its call's. PerformRecording.ts performs its work.
import { auditRow } from "../../domain/access/Origin.ts"
import type { Change } from "../../domain/Decision.ts"
import type { AuditRow } from "../../domain/journal/Rows.ts"
import { presentOf } from "../../domain/Presence.ts"
import { decideRecording } from "../../domain/recordings/DecideRecording.ts"
import { planRecording, type RecordingWork } from "../../domain/recordings/PlanRecording.ts"
import {
  absentRecording,
  evolveRecording,
  type Recording,
  type RecordingEvent
} from "../../domain/recordings/Recording.ts"
import { RecordingCommands } from "../../domain/recordings/RecordingCommand.ts"
import { restoreRecording, stateOfRecording } from "../../domain/recordings/StoredRecording.ts"
import { actor, type Recorded } from "../runtime/Definition.ts"

const auditRows = ({ after, events, id }: Change<Recording, RecordingEvent>): ReadonlyArray<AuditRow> =>
  events.flatMap((event) => {
    if (!("origin" in event) || event.origin === undefined) return []
    const { call_id, workspace_id } = presentOf(after).facts
    return [
      auditRow(event.origin, {
        workspace_id,
        action_kind: event._tag === "HandedOut" ? "recording.downloaded" : "recording.deleted",
        target: { type: "recording", id },
        after: { call_id },
        at: event.at
      })
    ]
  })

const record = (change: Change<Recording, RecordingEvent>): Recorded => {
  const recording = presentOf(change.after)
  const { audio, facts, status } = recording
  const { call_id, started_at, workspace_id } = facts
  return {
    workspace_id,
    state: stateOfRecording(recording),
    columns: { call_id, status, created_at: started_at, size_bytes: audio?.size_bytes ?? null },
    audit: auditRows(change)
  }
}

export const RecordingActor = actor<Recording, RecordingCommands, RecordingEvent, RecordingWork>({
  type: "Recording",
  commands: RecordingCommands,
  initial: absentRecording,
  restore: restoreRecording,
  decide: decideRecording,
  evolve: evolveRecording,
  plan: planRecording,
  record
})
