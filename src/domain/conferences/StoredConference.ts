// The stored state of a conference.
import { storedState } from "../state/StoredState.ts"
import { PresentConference } from "./Conference.ts"

export const conferenceState = storedState({ schema: PresentConference, upgrades: [] })

export const restoreConference = conferenceState.restore((stored): PresentConference => stored)
