import { assert, it } from "@effect/vitest"
import { recordingState, restoreRecording, stateOfRecording } from "../../../src/domain/recordings/StoredRecording.ts"
import { storedFixtures, testStoredStates } from "../../support/StoredStates.ts"
import { recordingId } from "../../support/Ids.ts"

testStoredStates("Recording", {
  state: recordingState,
  restore: restoreRecording,
  stateOf: stateOfRecording,
  expected: ({ v: _, ...stored }) => ({ _tag: "Present", ...stored }),
  damages: [
    ["a status that does not exist", '"status":"available"', '"status":"lost"', "/status"],
    [
      "a size that is no whole number",
      '"size_bytes":960044,"duration_ms":60000,"sha256"',
      '"size_bytes":0.5,"duration_ms":60000,"sha256"',
      "/spooled/size_bytes"
    ],
    ["three channels", '"channels":2', '"channels":3', "/facts/channels"],
    ["no facts", '"facts":', '"fact":', "/facts"]
  ]
})

it.each(storedFixtures("Recording").filter(({ version }) => version === recordingState.version))(
  "writes a recording byte for byte as before: $name",
  ({ state }) => {
    assert.strictEqual(stateOfRecording({ _tag: "Present", ...recordingState.view(state) }), state)
  }
)

it("restores a recording of version 0 that was never counted in the storage", () => {
  const stored =
    '{"id":"r","facts":{"workspace_id":"w","call_id":"c","source":"dial","channels":1,"started_at":5},' +
    '"status":"in_progress","spooled":null,"audio":null,"error":null,"reason":null,"erasing":false,"told_call":"in_progress"}'
  assert.deepInclude(recordingState.read(stored), { id: recordingId("r"), counted: false })
})
