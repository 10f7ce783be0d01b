import { reconciliationState, restoreReconciliation } from "../../../src/domain/topups/Reconciliation.ts"
import { testStoredStates } from "../../support/StoredStates.ts"

testStoredStates("Reconciliation", {
  state: reconciliationState,
  restore: restoreReconciliation,
  stateOf: reconciliationState.write,
  expected: (stored) => stored,
  damages: [["a next reading that is text", '"next_at":1790000000000', '"next_at":"now"', "/next_at"]]
})
