import {
  incomingPaymentState,
  restoreIncomingPayment,
  stateOfIncomingPayment
} from "../../../src/domain/topups/StoredIncomingPayment.ts"
import { testStoredStates } from "../../support/StoredStates.ts"

testStoredStates("IncomingPayment", {
  state: incomingPaymentState,
  restore: restoreIncomingPayment,
  stateOf: stateOfIncomingPayment,
  // M-Pesa was the only provider of payments that were stored without a currency.
  expected: ({ arrival, v: _, ...stored }) => ({
    _tag: "Present",
    ...stored,
    arrival: { currency: "KES", ...arrival }
  }),
  damages: [
    ["an amount that is no whole number", '"amount_minor":50000', '"amount_minor":500.5', "/arrival/amount_minor"],
    ["no amount", '"amount_minor":50000,', "", "/arrival/amount_minor"],
    ["a standing that does not exist", '"standing":"matching"', '"standing":"lost"', "/standing"],
    ["a settlement without a top-up", '"standing":"released"', '"standing":"settled"', "/standing, /topup_id"],
    ["a release without a workspace", '"standing":"suspense"', '"standing":"released"', "/standing, /workspace_id"]
  ]
})
