// A session is one leg on a PBX. The engine names the sessions that it starts after their calls, so that each leads to
// the other.
import { type CallId, type SessionId, toCallId, toSessionId } from "../BrandedIds.ts"

const ofCall = /^HD_([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})$/

export const sessionOfCall = (call_id: CallId): SessionId => toSessionId(`HD_${call_id.replaceAll("-", "")}`)

/** The call of a session that the engine named; undefined for other sessions. */
export const callOfSession = (session_id: SessionId): CallId | undefined => {
  const match = ofCall.exec(session_id)
  return match === null ? undefined : toCallId(match.slice(1).join("-"))
}

/**
 * The `seq` of the snapshot of a session that the PBX does not have. The PBX may have lost count, and no event can
 * follow, so the snapshot takes the highest number.
 */
export const lastSeq = 2_147_483_647

export interface LiveCall {
  readonly id: CallId
  readonly session_id: SessionId
}
