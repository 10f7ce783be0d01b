import {
  type ChatApp,
  type ChatAppEvent,
  notEligibleCode,
  seenBy,
  type Trunk,
  type UnusedChatApp,
  unusedChatApp,
  type UsedChatApp
} from "./ChatApp.ts"

type EventOf<Tag extends ChatAppEvent["_tag"]> = Extract<ChatAppEvent, { readonly _tag: Tag }>

/** The provider repeats only recent replies. */
const maxHeard = 200

export const pendingTrunk = (attempts: number, at: number): Trunk => ({
  status: "pending",
  status_reason: null,
  provider_code: null,
  attempts,
  next_retry_at: null,
  sip_host: null,
  updated_at: at
})

/** The workspace uses the number from now on, if it did not before. */
const usedBy = (
  state: ChatApp,
  { at, number, workspace_id }: EventOf<"Provisioning" | "SettingsWritten">
): UsedChatApp => {
  const seen = seenBy(state, workspace_id)
  return { ...seen, workspace_id, number, since: seen.workspace_id === null ? at : seen.since }
}

const left = ({ number, number_id, sequence, stored, turning_off }: ChatApp): UnusedChatApp => ({
  ...unusedChatApp(number_id),
  number,
  sequence,
  turning_off: turning_off || stored !== null
})

const failed = (state: UsedChatApp, trunk: Trunk, event: EventOf<"TrunkFailed">): UsedChatApp => {
  const { at, next_retry_at, provider_code, reason } = event
  return {
    ...state,
    trunk: { ...trunk, status: "failed", status_reason: reason, provider_code, next_retry_at, updated_at: at },
    ineligible: provider_code === notEligibleCode ? state.ineligible + 1 : 0,
    sequence: state.sequence + 1
  }
}

const evolveTrunk = (state: ChatApp, event: EventOf<"Retried" | "TrunkActive" | "TrunkFailed">): ChatApp => {
  if (state.workspace_id === null || state.trunk === null) return state
  const { trunk } = state
  switch (event._tag) {
    case "Retried":
      return { ...state, trunk: pendingTrunk(trunk.attempts + 1, event.at) }
    case "TrunkActive":
      return {
        ...state,
        trunk: { ...trunk, status: "active", sip_host: event.sip_host, updated_at: event.at },
        ineligible: 0,
        sequence: state.sequence + 1
      }
    case "TrunkFailed":
      return failed(state, trunk, event)
  }
}

export const evolveChatApp = (state: ChatApp, event: ChatAppEvent): ChatApp => {
  switch (event._tag) {
    case "Provisioning":
      return { ...usedBy(state, event), trunk: pendingTrunk(1, event.at) }
    case "SettingsWritten":
      return { ...usedBy(state, event), stored: event.settings, sequence: state.sequence + 1, turning_off: false }
    case "Retried":
    case "TrunkActive":
    case "TrunkFailed":
      return evolveTrunk(state, event)
    case "Left":
      return left(state)
    case "TurnedOff":
      return { ...state, turning_off: false }
    case "PermissionChanged":
      return { ...state, heard: [...state.heard, event.reply.id].slice(-maxHeard), sequence: state.sequence + 1 }
  }
}
