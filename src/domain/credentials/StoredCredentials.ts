// The stored state of a workspace's SIP credentials.
import { storedState } from "../state/StoredState.ts"
import { Credentials } from "./Credentials.ts"

export const credentialsState = storedState({ schema: Credentials, upgrades: [] })

export const restoreCredentials = credentialsState.restore((stored): Credentials => stored)
