// The stored state of a call. Most members of most calls are null or empty: leaving those out makes the state a quarter
// shorter, and a call is written half a dozen times.
import { Schema } from "effect"
import { type CallId, toCallId } from "../../BrandedIds.ts"
import { sparseBy, storedFields } from "../../state/StateMembers.ts"
import { storedState, Unreadable } from "../../state/StoredState.ts"
import { absentCall, type Call, callMembers, type PlacedCall } from "./Call.ts"

const StoredCall = Schema.Struct(storedFields(callMembers))

export const callState = storedState({ schema: StoredCall, upgrades: [] })

const sparse = sparseBy(callMembers)

/** The JSON text to store. */
export const stateOfCall = (call: Call): string => callState.write(sparse(call))

const inconsistent = (phase: string): never => {
  throw new Unreadable(`The stored call lacks a member that the phase ${phase} has.`)
}

/**
 * Completes a stored call. Members that were left out, or that an older engine did not know, are as in a new call.
 * Throws `Unreadable` if a member of its phase is missing.
 */
const completed = (id: CallId, stored: typeof StoredCall.Type): PlacedCall => {
  const absent = absentCall(id)
  const { answered_at = null, cost_minor = null, ended_at = null, ending = null, phase } = stored
  const common = { ...absent, ...stored, pbx: { ...absent.pbx, ...stored.pbx } }
  const unended = { ended_at: null, ending: null, cost_minor: null }
  if (phase === "ringing") return { ...common, ...unended, phase, answered_at: null }
  if (phase === "answered")
    return answered_at === null ? inconsistent(phase) : { ...common, ...unended, phase, answered_at }
  if (ended_at === null || ending === null) return inconsistent(phase)
  if (phase === "settling")
    return answered_at === null
      ? inconsistent(phase)
      : { ...common, phase, answered_at, ended_at, ending, cost_minor: null }
  const end = { phase, ended_at, ending, cost_minor: cost_minor ?? 0 }
  return answered_at === null ? { ...common, ...end, answered_at } : { ...common, ...end, answered_at }
}

/** The call as its actor loads it after a restart: the PBX must first show that it still has the session. */
export const restoreCall = callState.restore((stored, _row, id): PlacedCall => {
  const call = completed(toCallId(id), stored)
  return { ...call, pbx: { ...call.pbx, recalled: true } }
})

/**
 * The call of a stored state, for reads. It is not checked against the schema, so that what is made of it may throw
 * besides `Unreadable`: read rows through `readRow` and `readableRows` of layers/state.
 */
export const callOfState = (id: CallId, state: string): PlacedCall => completed(id, callState.view(state))
