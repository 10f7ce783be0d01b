import { restoreRooms, roomsState } from "../../../src/domain/conferences/ConferenceRooms.ts"
import { testStoredStates } from "../../support/StoredStates.ts"

testStoredStates("ConferenceRooms", {
  state: roomsState,
  restore: restoreRooms,
  stateOf: roomsState.write,
  expected: ({ v: _, ...stored }) => stored,
  damages: [["a room that is neither begun nor not", '"begun":true', '"begun":"yes"', "/rooms/0/begun"]]
})
