// A call as its actor remembers it. Instants are epoch milliseconds.
import type { PbxEvent } from "../pbx/PbxEvent.ts"
import type { CallFacts } from "./CallCommand.ts"
import type { CallRecording } from "./CallRecordings.ts"
import type { CallStatus, HangupCause, HangupSource } from "./CallRecord.ts"
import type { VoiceAction } from "./VoiceAction.ts"

/**
 * absent -> ringing -> answered -> settling -> ended, or ringing -> ended. While it is settling the talk is over and the
 * charge is not yet on disk; customers still see `answered`, so that whoever sees `completed` sees the debit.
 */
export type Phase = "absent" | "ringing" | "answered" | "settling" | "ended"

/** How the call ended, decided once. */
export interface Ending {
  readonly status: Exclude<CallStatus, "ringing" | "answered">
  readonly cause: HangupCause
  readonly source: HangupSource
  readonly sip_code: number | null
  readonly q850_cause: number | null
}

/** What the customer wants done with the answered call. */
export interface Script {
  /** The callback has until then to answer. */
  readonly answer_by: number
  /** Null while the callback is being asked. */
  readonly actions: ReadonlyArray<VoiceAction> | null
  /** The action under way, and since when. */
  readonly index: number
  readonly since: number
}

/** The leg that the dial under way rings. Its id is known before it exists, so that it is started once. */
export interface DialLeg {
  readonly call_id: string
  readonly started: boolean
  /** Known once it was answered. */
  readonly session_id: string | null
}

export interface Call {
  readonly id: string
  readonly phase: Phase
  /** Only an absent call has none. */
  readonly facts: CallFacts | null
  /** Public events so far. */
  readonly sequence: number
  readonly ringing_at: number | null
  readonly answered_at: number | null
  readonly ended_at: number | null
  readonly ending: Ending | null
  readonly cost_minor: number | null
  /** Minutes paid for ahead, from the answer on. */
  readonly covered_minutes: number
  /** The minute that could not be covered, once the customer was told of it. */
  readonly refused_minute: number | null
  readonly hold_open: boolean
  readonly script: Script | null
  readonly dial: DialLeg | null
  readonly child_call_ids: ReadonlyArray<string>
  /** Legs that must end because this call has, or does not wait for them. */
  readonly stopping_call_ids: ReadonlyArray<string>
  /** What the call that dialled this one knows of it. */
  readonly told_parent: CallStatus | null
  /** Absent where nothing was recorded. */
  readonly recordings?: ReadonlyArray<CallRecording>
  /** When the engine came back and found a deadline of the call long past. */
  readonly resumed_at: number | null
  readonly pbx: {
    /** Events of the session up to here are applied. */
    readonly seq: number
    /** Events that came before their turn, in order, and since when the gap is open. */
    readonly ahead: ReadonlyArray<PbxEvent>
    readonly gap_since: number | null
    /** When the PBX last showed that it has the session. */
    readonly proof_at: number
    /** When its gateway came back without naming the session. Memory alone: a restart has the gateway come back. */
    readonly doubted_at?: number
    /** The PBX has ended the session, or never will tell. */
    readonly closed: boolean
    /** When the PBX last showed a session that it should have ended, so that it is told once more. */
    readonly revived_at: number | null
  }
}

export const absentCall = (id: string): Call => ({
  id,
  phase: "absent",
  facts: null,
  sequence: 0,
  ringing_at: null,
  answered_at: null,
  ended_at: null,
  ending: null,
  cost_minor: null,
  covered_minutes: 0,
  refused_minute: null,
  hold_open: false,
  script: null,
  dial: null,
  child_call_ids: [],
  stopping_call_ids: [],
  told_parent: null,
  resumed_at: null,
  pbx: { seq: 0, ahead: [], gap_since: null, proof_at: 0, closed: false, revived_at: null }
})

/** A call from its snapshot. What an older engine did not know yet is as it is for a call that has just begun. */
export const callOfState = (id: string, state: string): Call => {
  const absent = absentCall(id)
  const stored = JSON.parse(state) as Call
  return { ...absent, ...stored, pbx: { ...absent.pbx, ...stored.pbx } }
}

/** A call that exists; every phase but absent. */
export type PlacedCall = Call & { readonly facts: CallFacts }

export const isPlaced = (call: Call): call is PlacedCall => call.facts !== null

export const statusOf = (call: Call): CallStatus =>
  call.phase === "ended" ? call.ending!.status : call.phase === "ringing" || call.phase === "absent" ? "ringing" : "answered"

/**
 * The id of the leg that the action at `index` dials: the same after a crash, and no other call's. The index goes where
 * ids that were drawn one after the other are alike.
 */
export const childCallId = (call_id: string, index: number): string => {
  const tail = BigInt(`0x${call_id.slice(-12)}`) ^ (BigInt(index + 1) << 40n)
  return call_id.slice(0, -12) + tail.toString(16).padStart(12, "0")
}

/** Whether the call has heard of the leg, so that it certainly exists. */
export const isKnown = (call: Call, child_call_id: string): boolean => call.child_call_ids.includes(child_call_id)

/** The action that the call is at, if the callback has answered and any is left. */
export const currentAction = (call: Call): VoiceAction | undefined => call.script?.actions?.[call.script.index]
