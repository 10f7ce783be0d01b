import { emptyMemory, restoreSubscription, subscriptionState } from "../../../src/domain/webhooks/Subscription.ts"
import { testStoredStates } from "../../support/StoredStates.ts"

testStoredStates("Subscription", {
  state: subscriptionState,
  restore: restoreSubscription,
  stateOf: ({ data }) => subscriptionState.write(data),
  expected: (data, id) => ({ _tag: "Present", id, data, memory: emptyMemory }),
  damages: [
    ["a status that does not exist", '"status":"active"', '"status":"on"', "/status"],
    ["a revision that is no whole number", '"revision":1', '"revision":1.5', "/revision"],
    ["a secret that is no text", '"secret":null', '"secret":7', "/secret"],
    [
      "a previous secret without its text",
      '"previous_secret":{"sealed"',
      '"previous_secret":{"x":1,"seal"',
      "/previous_secret/sealed"
    ],
    ["no workspace", '"workspace_id":', '"workspace":', "/workspace_id"]
  ]
})
