import { restoreTrunk, trunkState } from "../../../src/domain/trunks/Trunk.ts"
import { testStoredStates } from "../../support/StoredStates.ts"

testStoredStates("SipTrunk", {
  state: trunkState,
  restore: restoreTrunk,
  stateOf: trunkState.write,
  expected: (stored) => stored,
  damages: [
    ["a stage that does not exist", '"stage":"setting_up"', '"stage":"waiting"', "/trunk/stage"],
    ["a codec that does not exist", '"codecs":["', '"codecs":["GSM","', "/trunk/wanted/definition/codecs/0"],
    ["a limit of text", '"max_channels":', '"max_channels":"30","x":', "/trunk/wanted/definition/max_channels"],
    ["no definition", '"definition":', '"defined":', "/trunk/wanted/definition"],
    ["no list of trunks to take down", '"removing":', '"removed":', "/removing"]
  ]
})
