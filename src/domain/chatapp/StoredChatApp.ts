// The stored state of a number in the chat app.
import { storedState, Unreadable } from "../state/StoredState.ts"
import { type ChatApp, StoredChatApp } from "./ChatApp.ts"

/** Rows of version 0 may be older than these members. */
const added = {
  workspace_id: null,
  since: 0,
  number: "",
  stored: null,
  trunk: null,
  ineligible: 0,
  sequence: 0,
  turning_off: false,
  heard: []
}

/** What version 2 lacks. */
const added2 = { unanswered: 0, generation: 0, removing: [], returned_epoch: 0, restored_epoch: 0 }

interface Trunk2 {
  readonly status: string
}

/** Version 2 called a trunk active once the provider had accepted it. The PBX did not know it. */
const withStage = (trunk: Trunk2 | null) =>
  trunk === null
    ? null
    : {
        ...trunk,
        ...(trunk.status === "active" && { status: "pending", sip_host: null }),
        stage: trunk.status === "failed" ? "settled" : "provider",
        generation: 0,
        probe: 0,
        probed_at: 0
      }

/** The settings of version 1, as far as the upgrade changes them. */
interface Settings1 {
  readonly voicemail: { readonly announcement_media_id: number | null }
}

/** Version 1 had null where there was no announcement. */
const withMediaId = (settings: Settings1 | null): Settings1 | null =>
  settings === null
    ? null
    : {
        ...settings,
        voicemail: { ...settings.voicemail, announcement_media_id: settings.voicemail.announcement_media_id ?? 0 }
      }

export const chatAppState = storedState({
  schema: StoredChatApp,
  upgrades: [
    (stored) => ({ ...added, ...stored }),
    (stored) => ({ ...stored, stored: withMediaId(stored["stored"] as Settings1 | null) }),
    (stored) => ({ ...added2, ...stored, trunk: withStage(stored["trunk"] as Trunk2 | null) })
  ]
})

export const restoreChatApp = chatAppState.restore(({ stored, trunk, workspace_id, ...common }): ChatApp => {
  if (workspace_id !== null) return { ...common, workspace_id, stored, trunk }
  if (stored === null && trunk === null) return { ...common, workspace_id, stored, trunk }
  throw new Unreadable("The stored number is in use in the chat app, but by no workspace.")
})
