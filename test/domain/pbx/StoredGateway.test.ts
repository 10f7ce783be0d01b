import { initialGateway } from "../../../src/domain/pbx/Gateway.ts"
import { gatewayState, restoreGateway, stateOfGateway } from "../../../src/domain/pbx/StoredGateway.ts"
import { testStoredStates } from "../../support/StoredStates.ts"

testStoredStates("Gateway", {
  state: gatewayState,
  restore: restoreGateway,
  stateOf: stateOfGateway,
  expected: ({ epoch }) => initialGateway(epoch),
  damages: [
    ["an epoch of text", '"epoch":1', '"epoch":"1"', "/epoch"],
    ["no epoch", '"epoch":', '"era":', "/epoch"]
  ]
})
