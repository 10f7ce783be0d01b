// A session is one leg on a PBX. Sessions that the engine starts are named after their call, so either finds the other.

const ofCall = /^HD_([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})$/

export const sessionOfCall = (call_id: string): string => `HD_${call_id.replaceAll("-", "")}`

/** The call that a session belongs to, where the session was named by the engine. */
export const callOfSession = (session_id: string): string | undefined => {
  const match = ofCall.exec(session_id)
  return match === null ? undefined : match.slice(1).join("-")
}

/**
 * The `seq` of the snapshot of a session that the PBX does not have: it may have lost count, and nothing can follow.
 */
export const lastSeq = 2_147_483_647
