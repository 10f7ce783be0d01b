import { recordNumber } from "../../../src/domain/numbers/RecordNumber.ts"
import { defaultRouting } from "../../../src/domain/numbers/Routing.ts"
import { numberState, restoreNumber } from "../../../src/domain/numbers/StoredNumber.ts"
import { testStoredStates } from "../../support/StoredStates.ts"

/** What an inserted row lacks. */
const absent = {
  routed_at: 0,
  told: null,
  leaving: [],
  claim: null,
  charge_id: null,
  retry_at: null,
  suspended_at: null,
  sequence: 0
}

testStoredStates("Number", {
  state: numberState,
  restore: restoreNumber,
  stateOf: (after) =>
    recordNumber({ before: after, after, events: [], steps: [], id: after.id, now: 0, uuid: () => "" }).state,
  expected: ({ v: _, ...stored }, id) => ({
    _tag: "Present",
    id,
    data: { ...absent, ...stored, routing: { ...defaultRouting, ...stored.routing } }
  }),
  damages: [
    ["a status that does not exist", '"status":"active"', '"status":"asleep"', "/status"],
    [
      "a price that is no whole number",
      '"monthly_price_minor":',
      '"monthly_price_minor":0.5,"x":',
      "/monthly_price_minor"
    ],
    ["an unknown currency", '"currency":"KES"', '"currency":"XXX"', "/claim/terms/currency"],
    ["a claim without its entry", '"entry_id":', '"entry":', "/claim/entry_id"],
    ["an instant of text", '"renews_at":1', '"renews_at":"","x":1', "/renews_at"],
    ["a forward that does not exist", '"type":"extensions"', '"type":"phone"', "/routing/forward_to/type"]
  ]
})
