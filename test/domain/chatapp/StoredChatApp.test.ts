import { assert, it } from "@effect/vitest"
import { unusedChatApp } from "../../../src/domain/chatapp/ChatApp.ts"
import { Unreadable } from "../../../src/domain/state/StoredState.ts"
import { chatAppState, restoreChatApp } from "../../../src/domain/chatapp/StoredChatApp.ts"
import { testStoredStates } from "../../support/StoredStates.ts"
import { numberId } from "../../support/Ids.ts"

testStoredStates("ChatApp", {
  state: chatAppState,
  restore: restoreChatApp,
  stateOf: chatAppState.write,
  expected: ({ v = 0, stored, trunk, ...rest }) => ({
    turning_off: false,
    heard: [],
    unanswered: 0,
    generation: 0,
    removing: [],
    returned_epoch: 0,
    restored_epoch: 0,
    ...rest,
    // Before version 3 the PBX did not know the trunk, so an active one begins again.
    trunk:
      v >= 3 || !trunk
        ? trunk
        : {
            ...trunk,
            ...(trunk.status === "active" && { status: "pending", sip_host: null }),
            stage: trunk.status === "failed" ? "settled" : "provider",
            generation: 0,
            probe: 0,
            probed_at: 0
          },
    stored: stored && {
      ...stored,
      voicemail: { ...stored.voicemail, announcement_media_id: stored.voicemail.announcement_media_id ?? 0 }
    }
  }),
  damages: [
    [
      "a trunk in a status that does not exist",
      '"trunk":{"status":"pending"',
      '"trunk":{"status":"lost"',
      "/trunk/status"
    ],
    ["no number", '"number_id":', '"id":', "/number_id"],
    ["settings without a schedule", '"holiday_schedule":', '"holidays":', "/stored/call_hours/holiday_schedule"],
    ["a count of text", '"sequence":', '"sequence":"1","x":', "/sequence"]
  ]
})

it("is refused with settings of no workspace", () => {
  const trunk = {
    status: "pending" as const,
    status_reason: null,
    provider_code: null,
    attempts: 1,
    next_retry_at: null,
    sip_host: null,
    updated_at: 1,
    stage: "provider" as const,
    generation: 0,
    probe: 0,
    probed_at: 1
  }
  const state = chatAppState.write({ ...unusedChatApp(numberId("n1")), trunk })
  const row = { version: 1, workspace_id: null, state, alarm: null, holds: [] }
  assert.throws(() => restoreChatApp(row, "n1"), Unreadable, "by no workspace")
})
