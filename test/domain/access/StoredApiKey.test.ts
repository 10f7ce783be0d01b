import { apiKeyState, restoreApiKey, stateOfApiKey } from "../../../src/domain/access/StoredApiKey.ts"
import { testStoredStates } from "../../support/StoredStates.ts"

testStoredStates("ApiKey", {
  state: apiKeyState,
  restore: restoreApiKey,
  stateOf: stateOfApiKey,
  expected: ({ v: _, ...stored }, id) => ({ id, warned: false, ...stored }),
  damages: [
    ["no facts", '"facts":', '"fact":', "/facts"],
    ["a scope that does not exist", '"scopes":["', '"scopes":["all","', "/facts/scopes/0"],
    ["an expiry of text", '"expires_at":', '"expires_at":"","x":', "/facts/expires_at"],
    ["a revocation that is no instant", '"revoked_at":null', '"revoked_at":true', "/revoked_at"]
  ]
})
