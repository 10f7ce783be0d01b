import { restoreTopUp, stateOfTopUp, topUpState } from "../../../src/domain/topups/StoredTopUp.ts"
import { testStoredStates } from "../../support/StoredStates.ts"

/** Before cards, all of a top-up was reversed, or nothing. */
const fromVersion0 = ({ reversal, reversed, ...stored }: ReturnType<typeof JSON.parse>) => {
  const paid = stored.proof?.amount_minor ?? 0
  const isBeingReversed = reversal !== null && !reversed
  return {
    ...stored,
    page: null,
    checks: 0,
    checked: 0,
    taken_back_minor: 0,
    reversed_by_hand: reversal !== null,
    reversal: isBeingReversed ? { ...reversal, amount_minor: paid } : null,
    reversed_minor: reversed ? paid : 0
  }
}

testStoredStates("TopUp", {
  state: topUpState,
  restore: restoreTopUp,
  stateOf: stateOfTopUp,
  expected: ({ v = 0, ...stored }, id) => ({ _tag: "Present", id, ...(v === 0 ? fromVersion0(stored) : stored) }),
  damages: [
    ["an amount that is text", '"amount_minor":150000', '"amount_minor":"150000"', "/facts/amount_minor"],
    ["an amount that is no whole number", '"amount_minor":150000', '"amount_minor":0.5', "/facts/amount_minor"],
    ["an amount that is too large to be exact", '"amount_minor":150000', '"amount_minor":1e16', "/facts/amount_minor"],
    [
      "a receipt without an amount",
      '"receipt":"UKM7A1B2C3","amount_minor":150000',
      '"receipt":"UKM7A1B2C3"',
      "/proof/amount_minor"
    ],
    ["a push that does not exist", '"push":"begun"', '"push":"sent"', "/push"],
    ["an unknown currency", '"currency":"KES"', '"currency":"XXX"', "/facts/currency"],
    ["no facts", '"facts":', '"fact":', "/facts"]
  ]
})
