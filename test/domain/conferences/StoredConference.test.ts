import { conferenceState, restoreConference } from "../../../src/domain/conferences/StoredConference.ts"
import { testStoredStates } from "../../support/StoredStates.ts"

testStoredStates("Conference", {
  isComplete: false,
  state: conferenceState,
  restore: restoreConference,
  stateOf: conferenceState.write,
  expected: ({ v: _, ...stored }) => stored,
  damages: [
    ["an unknown status", '"status":"ended"', '"status":"over"', "/status"],
    ["a count that is text", '"joined":3', '"joined":"3"', "/joined"],
    ["no workspace", '"workspace_id":', '"workspace":', "/workspace_id"]
  ]
})
