import { callerIdsState } from "../../../src/domain/callerids/RecordCallerIds.ts"
import type { CallerIds } from "../../../src/domain/callerids/CallerIds.ts"
import { testStoredStates } from "../../support/StoredStates.ts"

testStoredStates("CallerIds", {
  state: callerIdsState,
  restore: callerIdsState.restore((stored): CallerIds => stored),
  stateOf: callerIdsState.write,
  expected: (stored) => stored,
  damages: [
    ["a proof by nobody", '"by":"call"', '"by":"nobody"', "/caller_ids/1/proof/by"],
    ["guesses of text", '"guesses_left":4', '"guesses_left":"4"', "/caller_ids/0/challenge/guesses_left"],
    ["no list of requested codes", '"requested":', '"asked":', "/requested"]
  ]
})
