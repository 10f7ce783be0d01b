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
  expected: ({ v: _, stored, ...rest }) => ({
    turning_off: false,
    heard: [],
    ...rest,
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
    updated_at: 1
  }
  const state = chatAppState.write({ ...unusedChatApp(numberId("n1")), trunk })
  const row = { version: 1, workspace_id: null, state, alarm: null, holds: [] }
  assert.throws(() => restoreChatApp(row, "n1"), Unreadable, "by no workspace")
})
