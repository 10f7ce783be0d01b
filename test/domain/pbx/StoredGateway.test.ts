import { initialGateway } from "../../../src/domain/pbx/Gateway.ts"
import { gatewayState, restoreGateway, stateOfGateway } from "../../../src/domain/pbx/StoredGateway.ts"
import { testStoredStates } from "../../support/StoredStates.ts"

testStoredStates("Gateway", {
  state: gatewayState,
  restore: restoreGateway,
  stateOf: stateOfGateway,
  expected: ({ capabilities, epoch }) => initialGateway(epoch, capabilities),
  damages: [
    ["an epoch of text", '"epoch":1', '"epoch":"1"', "/epoch"],
    ["capabilities that are no list", '"capabilities":["stream.v1"]', '"capabilities":"stream.v1"', "/capabilities"],
    ["no epoch", '"epoch":', '"era":', "/epoch"]
  ]
})
