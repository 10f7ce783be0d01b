import { credentialsState, restoreCredentials } from "../../../src/domain/credentials/StoredCredentials.ts"
import { testStoredStates } from "../../support/StoredStates.ts"

testStoredStates("SipCredentials", {
  isComplete: false,
  state: credentialsState,
  restore: restoreCredentials,
  stateOf: credentialsState.write,
  expected: (stored) => stored,
  damages: [
    ["a status that does not exist", '"status":"active"', '"status":"lost"', "/credentials/0/status"],
    ["no password", '"password":', '"pass":', "/credentials/0/password"],
    ["a revision that is no whole number", '"revision":1', '"revision":1.5', "/credentials/0/revision"],
    ["no list of credentials", '"credentials":', '"credential":', "/credentials"]
  ]
})
