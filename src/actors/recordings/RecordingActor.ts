// A recording. Its id is made of its call's. What it decides is in src/domain/recordings; what it has under way, in
// PerformRecording.ts.
import { Schema } from "effect"
import { auditRow } from "../../domain/access/Origin.ts"
import type { AuditRow } from "../../domain/journal/Rows.ts"
import { decideRecording } from "../../domain/recordings/DecideRecording.ts"
import { planRecording, type RecordingWork } from "../../domain/recordings/PlanRecording.ts"
import {
  absentRecording,
  evolveRecording,
  type Recording,
  type RecordingEvent
} from "../../domain/recordings/Recording.ts"
import { RecordingCommand, RecordingReply } from "../../domain/recordings/RecordingCommand.ts"
import type { Change } from "../../domain/Decision.ts"
import type { Definition, Recorded } from "../runtime/Definition.ts"

const audits = ({ after, events, id }: Change<Recording, RecordingEvent>): ReadonlyArray<AuditRow> =>
  events.flatMap((event) => {
    if (!("origin" in event) || event.origin === undefined) return []
    const { call_id, workspace_id } = after.facts!
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
  const { audio, facts, status } = change.after
  const { call_id, started_at, workspace_id } = facts!
  return {
    workspace_id,
    state: JSON.stringify(change.after),
    columns: { call_id, status, created_at: started_at, size_bytes: audio?.size_bytes ?? null },
    audit: audits(change)
  }
}

export const RecordingActor: Definition<Recording, RecordingCommand, RecordingEvent, RecordingReply, RecordingWork> = {
  type: "Recording",
  initial: absentRecording,
  restore: ({ state }, id) => ({ ...absentRecording(id), ...(JSON.parse(state) as Recording) }),
  decide: decideRecording,
  evolve: evolveRecording,
  plan: planRecording,
  record,
  wire: { command: RecordingCommand, reply: RecordingReply, notice: Schema.Never }
}
