// The stored state of a recording.
import { Schema } from "effect"
import { sparseBy, storedFields } from "../state/StateMembers.ts"
import { storedState } from "../state/StoredState.ts"
import { type PresentRecording, recordingMembers } from "./Recording.ts"

export const recordingState = storedState({
  schema: Schema.Struct(storedFields(recordingMembers)),
  // Early versions did not notify the storage of recordings.
  upgrades: [(stored) => ({ counted: false, ...stored })]
})

const sparse = sparseBy(recordingMembers)

/** The tag is not stored. */
export const stateOfRecording = (recording: PresentRecording): string => recordingState.write(sparse(recording))

export const restoreRecording = recordingState.restore((stored): PresentRecording => ({ _tag: "Present", ...stored }))
