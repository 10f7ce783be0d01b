import {
  type ChatApp,
  type ChatAppEvent,
  leftovers,
  notEligibleCode,
  seenBy,
  type Trunk,
  type UnusedChatApp,
  unusedAgain,
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
  updated_at: at,
  stage: "provider",
  generation: 0,
  probe: 0,
  probed_at: at
})

/** The workspace uses the number from now on, if it did not before. */
const usedBy = (
  state: ChatApp,
  { at, number, workspace_id }: EventOf<"Provisioning" | "SettingsWritten">
): UsedChatApp => {
  const seen = seenBy(state, workspace_id)
  return { ...seen, workspace_id, number, since: seen.workspace_id === null ? at : seen.since }
}

const left = (state: ChatApp): UnusedChatApp => ({
  ...unusedAgain(state),
  number: state.number,
  turning_off: state.turning_off || state.stored !== null
})

const failed = (state: UsedChatApp, trunk: Trunk, event: EventOf<"TrunkFailed">): UsedChatApp => {
  const { at, next_retry_at, provider_code, reason, unanswered } = event
  const over = { stage: "settled", generation: 0, updated_at: at } as const
  return {
    ...state,
    trunk: { ...trunk, ...over, status: "failed", status_reason: reason, provider_code, next_retry_at },
    removing: leftovers(state),
    ineligible: provider_code === notEligibleCode ? state.ineligible + 1 : 0,
    unanswered: unanswered ? state.unanswered + 1 : 0,
    sequence: state.sequence + 1
  }
}

type TrunkChange = EventOf<"Retried" | "TrunkAccepted" | "TrunkSetUp" | "ProbeRepeated" | "TrunkActive" | "TrunkFailed">

const evolveTrunk = (state: ChatApp, event: TrunkChange): ChatApp => {
  if (state.workspace_id === null || state.trunk === null) return state
  const { trunk } = state
  switch (event._tag) {
    case "Retried":
      return { ...state, trunk: pendingTrunk(trunk.attempts + 1, event.at) }
    case "TrunkAccepted": {
      const generation = state.generation + 1
      return { ...state, generation, trunk: { ...trunk, stage: "setting_up", generation, sip_host: event.sip_host } }
    }
    case "TrunkSetUp":
      return { ...state, trunk: { ...trunk, stage: "probing", probe: 1, probed_at: event.at } }
    case "ProbeRepeated":
      return { ...state, trunk: { ...trunk, probe: trunk.probe + 1, probed_at: event.at } }
    case "TrunkActive":
      return {
        ...state,
        trunk: { ...trunk, status: "active", stage: "settled", updated_at: event.at },
        ineligible: 0,
        unanswered: 0,
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
    case "TrunkAccepted":
    case "TrunkSetUp":
    case "ProbeRepeated":
    case "TrunkActive":
    case "TrunkFailed":
      return evolveTrunk(state, event)
    case "Removed":
      return { ...state, removing: state.removing.filter(({ trunk_id }) => trunk_id !== event.trunk_id) }
    case "ResyncBegan":
      return { ...state, returned_epoch: event.epoch }
    case "ResyncFinished":
      return { ...state, restored_epoch: event.epoch }
    case "Left":
      return left(state)
    case "TurnedOff":
      return { ...state, turning_off: false }
    case "PermissionChanged":
      return { ...state, heard: [...state.heard, event.reply.id].slice(-maxHeard), sequence: state.sequence + 1 }
  }
}
