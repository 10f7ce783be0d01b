// A call's snapshot. Most members of most calls are null or empty and say nothing, and a call is written half a dozen times:
// without them it is three quarters as long.
import { absentCall, type Call } from "./Call.ts"

/** What is stored: all but what was said last, which is in memory alone (its turns are in the log). */
type Stored = Omit<Call, "said" | "pbx">
/** Undefined is what is left out. */
type Sparse<Members> = { readonly [Name in keyof Members]-?: Members[Name] | undefined }

const some = <A>(list: ReadonlyArray<A>): ReadonlyArray<A> | undefined => (list.length === 0 ? undefined : list)

const sparsePbx = (pbx: Call["pbx"]): Sparse<Call["pbx"]> => ({
  seq: pbx.seq,
  ahead: some(pbx.ahead),
  gap_since: pbx.gap_since ?? undefined,
  proof_at: pbx.proof_at,
  doubted_at: pbx.doubted_at,
  recalled: undefined,
  closed: pbx.closed,
  revived_at: pbx.revived_at ?? undefined
})

/** One by one, and so no slower than as a whole; a member that is forgotten here does not compile. */
const sparse = (call: Call): Sparse<Stored> & { readonly pbx: Sparse<Call["pbx"]> } => ({
  id: call.id,
  phase: call.phase,
  facts: call.facts,
  sequence: call.sequence,
  ringing_at: call.ringing_at ?? undefined,
  answered_at: call.answered_at ?? undefined,
  ended_at: call.ended_at ?? undefined,
  ending: call.ending ?? undefined,
  cost_minor: call.cost_minor ?? undefined,
  covered_minutes: call.covered_minutes,
  refused_minute: call.refused_minute ?? undefined,
  hold_open: call.hold_open,
  talk_limit: call.talk_limit,
  script: call.script ?? undefined,
  engaged: call.engaged,
  consulted: call.consulted,
  commands: call.commands,
  watches: call.watches,
  reception: call.reception ?? undefined,
  dial: call.dial ?? undefined,
  child_call_ids: some(call.child_call_ids),
  stopping: some(call.stopping),
  spare_hold_ids: some(call.spare_hold_ids),
  picked_up: call.picked_up ?? undefined,
  detect_until: call.detect_until ?? undefined,
  answered_by: call.answered_by ?? undefined,
  mute: call.mute ?? undefined,
  hold: call.hold ?? undefined,
  told_parent: call.told_parent ?? undefined,
  turns: call.turns,
  recordings: call.recordings,
  resumed_at: call.resumed_at ?? undefined,
  pbx: sparsePbx(call.pbx)
})

export const stateOfCall = (call: Call): string => JSON.stringify(sparse(call))

/** As an actor takes it up: whether the PBX still has the session is to be heard anew. */
export const recalledCall = (id: string, state: string): Call => {
  const call = callOfState(id, state)
  return { ...call, pbx: { ...call.pbx, recalled: true } }
}

/** What was left out, and what an older engine did not know yet, is as it is for a call that has just begun. */
export const callOfState = (id: string, state: string): Call => {
  const absent = absentCall(id)
  const stored = JSON.parse(state) as Call
  return { ...absent, ...stored, pbx: { ...absent.pbx, ...stored.pbx } }
}
