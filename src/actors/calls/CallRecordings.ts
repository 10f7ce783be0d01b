// Notifies the actor of a recording of the start and of the outcome that the PBX reported.
import type { RecordingOutcome } from "../../domain/calls/state/Call.ts"
import { RecordingCommands } from "../../domain/recordings/RecordingCommand.ts"
import type { ActorSystem } from "../runtime/ActorSystem.ts"
import { type CallSelf, placedCall, type WorkOf } from "./CallWork.ts"
import { traced } from "../../domain/Traced.ts"
import type { RecordingId } from "../../domain/BrandedIds.ts"

export const makeCallRecordings = (system: ActorSystem["Service"]) => {
  const report = (id: RecordingId, outcome: RecordingOutcome) =>
    "audio" in outcome
      ? system.ask(RecordingCommands.Finish, id, { audio: outcome.audio })
      : system.ask(RecordingCommands.Fail, id, { error: outcome.error })

  return traced("PerformCall.notifyRecording")(function* ({ recording }: WorkOf<"NotifyRecording">, self: CallSelf) {
    const { channels, id, outcome, source, started_at } = recording
    const { workspace_id } = placedCall(self).facts
    yield* system.ask(RecordingCommands.Start, id, {
      facts: { workspace_id, call_id: self.id, source, channels, started_at }
    })
    if (outcome !== null) yield* report(id, outcome)
    yield* self.tell({ _tag: "RecordingNotified", recording_id: id, told: outcome === null ? "start" : "outcome" })
  })
}
