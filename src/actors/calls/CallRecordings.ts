// What a call tells its recordings: that they began, and what the PBX made of them.
import { Effect } from "effect"
import type { PlacedCall, RecordingOutcome } from "../../domain/calls/Call.ts"
import type { RecordingMessage } from "../../domain/recordings/RecordingCommand.ts"
import type { CallSelf, Done, WorkOf } from "./CallWork.ts"
import { RecordingActor } from "../recordings/RecordingActor.ts"
import type { ActorSystem } from "../runtime/ActorSystem.ts"

const outcomeTold = (outcome: RecordingOutcome): RecordingMessage =>
  "audio" in outcome ? { _tag: "Finish", audio: outcome.audio } : { _tag: "Fail", error: outcome.error }

export const makeCallRecordings =
  (system: ActorSystem["Service"]) =>
  ({ recording }: WorkOf<"NotifyRecording">, self: CallSelf): Done => {
    const { channels, id, outcome, source, started_at } = recording
    const { workspace_id } = (self.state() as PlacedCall).facts
    const start: RecordingMessage = {
      _tag: "Start",
      facts: { workspace_id, call_id: self.id, source, channels, started_at }
    }
    const told = outcome === null ? "start" : "outcome"
    return Effect.forEach(outcome === null ? [start] : [start, outcomeTold(outcome)], (command) =>
      system.ask(RecordingActor, id, command)
    ).pipe(Effect.andThen(self.tell({ _tag: "RecordingNotified", recording_id: id, told })))
  }
