import { presentOf } from "../../../src/domain/Presence.ts"
import {
  payerPhoneLockState,
  restorePayerPhoneLock,
  stateOfPayerPhoneLock
} from "../../../src/domain/topups/PayerPhoneLock.ts"
import { testStoredStates } from "../../support/StoredStates.ts"

testStoredStates("PayerPhoneLock", {
  state: payerPhoneLockState,
  restore: restorePayerPhoneLock,
  stateOf: (lock) => stateOfPayerPhoneLock(presentOf(lock)),
  expected: (stored) => ({ _tag: "Present", ...stored }),
  damages: [
    ["an end that is no number", '"until":1790000060000', '"until":null', "/until"],
    ["no top-up", '"topup_id"', '"top_up"', "/topup_id"]
  ]
})
