// The state of a call, by phase. Instants are epoch milliseconds. Its members are stored (StoredCall.ts), so they keep
// their spelling.
import type { ConferencePart } from "../../conferences/ConferencePart.ts"
import type { PbxEvent } from "../../pbx/PbxEvent.ts"
import type { FinishedAudio } from "../../recordings/FinishedAudio.ts"
import type { RecordingSource, RecordingStatus } from "../../recordings/RecordingRecord.ts"
import type { CallStream } from "../../streams/CallStream.ts"
import type { CallFacts, Forward } from "./CallFacts.ts"
import type { CallbackLogEntry } from "./CallbackLog.ts"
import type { AnsweredBy, CallStatus, HangupCause, HangupSource } from "./CallRecord.ts"
import type { Dial } from "./Dial.ts"
import type { Script } from "./Script.ts"
import type { TranscriptNotice } from "./Transcript.ts"
import type { VoiceAction } from "../verbs/VoiceAction.ts"
import type { CallId, RecordingId } from "../../BrandedIds.ts"

/** How the call ended. */
export interface Ending {
  readonly status: Exclude<CallStatus, "ringing" | "answered">
  readonly cause: HangupCause
  readonly source: HangupSource
  readonly sip_code: number | null
  readonly q850_cause: number | null
}

/** The phone of a dialled leg was picked up; the leg waits for its parent call to accept it. */
export interface PickUp {
  readonly at: number
  /** The parent call must accept the leg by then. */
  readonly claim_by: number
}

/** A leg that must end because this call has ended or no longer waits for it. */
export interface Stopping {
  readonly call_id: CallId
  readonly cause: "normal_clearing" | "answered_elsewhere"
}

/** What the customer has switched on or off during the call. */
export interface Switch {
  readonly on: boolean
  /** How often it was switched: part of the id of the PBX command. */
  readonly count: number
}

/** An inbound call, or one that a device placed, before it is answered. */
export interface InboundSetup {
  /**
   * `admitting`: its first minute is being held. `asking`: the number's voice_url is asked what to do. `forwarding`:
   * other destinations ring for it. `answering`: the PBX was told to answer it.
   */
  readonly step: "admitting" | "asking" | "forwarding" | "answering"
  readonly forward: Forward | null
  /** Played to a caller who is rejected because the wallet has no funds. */
  readonly no_funds_message: string | null
  /** What the caller hears before the line is dropped. Absent while the call goes on and if there is nothing to say. */
  readonly announcement?: string
}

/** The talk-time limit that the PBX enforces by itself. */
export interface MaxTalkTime {
  /** From the answer on, margin included. */
  readonly seconds: number
  /** How often it changed since the command to call or to answer. */
  readonly count: number
}

/**
 * A command for the PBX: its id without the call's own id, and when the call decided it. A pair, because it is written
 * with every change of the call.
 */
export type SentCommand = readonly [id: string, at: number]

/** A client that follows the call live. */
export interface StreamViewer {
  readonly stream_id: string
  /** The id of the API key or session that opened the stream. */
  readonly by: string
  readonly opened_at: number
  /** Null while it is open. The end of the call closes it too. */
  readonly closed_at: number | null
}

/** How a recording ended, as the PBX reported it. */
export type RecordingOutcome = { readonly audio: FinishedAudio } | { readonly error: string }

export interface CallRecording {
  readonly id: RecordingId
  readonly source: RecordingSource
  readonly channels: 1 | 2
  readonly started_at: number
  /** Null while the PBX records. */
  readonly outcome: RecordingOutcome | null
  /** How much of this the recording's own actor knows. */
  readonly told: "nothing" | "start" | "outcome"
  readonly status: RecordingStatus
}

/** What is known of the call's session at the PBX. */
export interface PbxSession {
  /** Events up to this number have been applied. */
  readonly seq: number
  /** Events that arrived before their turn, in order. */
  readonly ahead: ReadonlyArray<PbxEvent>
  /** Since when an event before them is missing. */
  readonly gap_since: number | null
  /** When the PBX last showed that it has the session. */
  readonly proof_at: number
  /** When its gateway reconnected without listing the session. Stored with the next change of the call only. */
  readonly doubted_at?: number
  /** No event of the session since the call was loaded: the engine may just have started. Never stored. */
  readonly recalled?: true
  /** The PBX has ended the session, or will never confirm that it did. */
  readonly closed: boolean
  /** When the PBX last showed a session that should have ended. It is told to hang up again. */
  readonly revived_at: number | null
}

interface CallInAnyPhase {
  readonly id: CallId
  /** How many public events there were. */
  readonly sequence: number
  readonly ringing_at: number | null
  /** Minutes paid in advance, counted from the answer. */
  readonly covered_minutes: number
  /** The minute that the wallet refused, once the customer was notified. */
  readonly refused_minute: number | null
  /** Whether the wallet may still hold money for the call. */
  readonly hold_open: boolean
  /** Absent while it is the maximum duration. */
  readonly talk_limit?: MaxTalkTime
  readonly script: Script | null
  /** The party has heard something, was asked, recorded or connected. */
  readonly engaged?: true
  /** Questions to the voice callback. */
  readonly consulted?: ReadonlyArray<CallbackLogEntry>
  /** Absent also in calls of an older engine. */
  readonly commands?: ReadonlyArray<SentCommand>
  readonly watches?: ReadonlyArray<StreamViewer>
  /** Null unless the call came in and is not answered. */
  readonly reception: InboundSetup | null
  readonly dial: Dial | null
  readonly child_call_ids: ReadonlyArray<CallId>
  readonly stopping: ReadonlyArray<Stopping>
  /** Holds of finished dials, to be released once no leg can take them. */
  readonly spare_hold_ids: ReadonlyArray<string>
  readonly picked_up: PickUp | null
  /** Until when the call waits for machine detection. */
  readonly detect_until: number | null
  readonly answered_by: AnsweredBy | null
  readonly mute: Switch | null
  readonly hold: Switch | null
  /** The status that the parent call knows. */
  readonly told_parent: CallStatus | null
  /** How many transcript turns are in the log. */
  readonly turns?: number
  /** The latest pieces of the transcript. Never stored. */
  readonly said?: ReadonlyArray<TranscriptNotice>
  readonly recordings?: ReadonlyArray<CallRecording>
  readonly streams?: ReadonlyArray<CallStream>
  readonly conferences?: ReadonlyArray<ConferencePart>
  /** When the engine came back and found a deadline of the call long past. */
  readonly resumed_at: number | null
  /** Set while the call has ended and is not charged, because the PBX's report of the hang-up could make it cheaper. */
  readonly hangup_awaited_until?: number
  /** By how much the wall clock was set since the call began, forward positive. The call's instants do not follow. */
  readonly clock_set_ms?: number
  readonly pbx: PbxSession
}

/** No such call exists. */
export interface AbsentCall extends CallInAnyPhase {
  readonly phase: "absent"
  readonly facts: null
  readonly answered_at: null
  readonly ended_at: null
  readonly ending: null
  readonly cost_minor: null
}

interface CallInPlace extends CallInAnyPhase {
  readonly facts: CallFacts
}

export interface RingingCall extends CallInPlace {
  readonly phase: "ringing"
  readonly answered_at: null
  readonly ended_at: null
  readonly ending: null
  readonly cost_minor: null
}

export interface AnsweredCall extends CallInPlace {
  readonly phase: "answered"
  readonly answered_at: number
  readonly ended_at: null
  readonly ending: null
  readonly cost_minor: null
}

/**
 * The talk is over and the charge is not yet on disk. Customers still see `answered`, so that `completed` never shows
 * before the debit.
 */
export interface SettlingCall extends CallInPlace {
  readonly phase: "settling"
  readonly answered_at: number
  readonly ended_at: number
  readonly ending: Ending
  readonly cost_minor: null
}

/** Was answered, has ended and is charged. */
export interface CompletedCall extends CallInPlace {
  readonly phase: "ended"
  readonly answered_at: number
  readonly ended_at: number
  readonly ending: Ending
  readonly cost_minor: number
}

/** Ended without an answer. */
export interface UnansweredCall extends CallInPlace {
  readonly phase: "ended"
  readonly answered_at: null
  readonly ended_at: number
  readonly ending: Ending
  readonly cost_minor: number
}

export type EndedCall = CompletedCall | UnansweredCall

/** A call that exists: ringing -> answered -> settling -> ended, or ringing -> ended. */
export type PlacedCall = RingingCall | AnsweredCall | SettlingCall | EndedCall
export type Call = AbsentCall | PlacedCall

export const absentCall = (id: CallId): AbsentCall => ({
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
  reception: null,
  dial: null,
  child_call_ids: [],
  stopping: [],
  spare_hold_ids: [],
  picked_up: null,
  detect_until: null,
  answered_by: null,
  mute: null,
  hold: null,
  told_parent: null,
  resumed_at: null,
  pbx: { seq: 0, ahead: [], gap_since: null, proof_at: 0, closed: false, revived_at: null }
})

export const isPlaced = (call: Call): call is PlacedCall => call.phase !== "absent"

export const statusOf = (call: Call): CallStatus => {
  switch (call.phase) {
    case "absent":
    case "ringing":
      return "ringing"
    case "answered":
    case "settling":
      return "answered"
    case "ended":
      return call.ending.status
  }
}

/** Whether a message of the leg has arrived, so that it certainly exists. */
export const isKnown = (call: Call, child_call_id: CallId): boolean => call.child_call_ids.includes(child_call_id)

export const isStopping = (call: Call, child_call_id: CallId): boolean =>
  call.stopping.some(({ call_id }) => call_id === child_call_id)

/** The action that is being carried out; undefined while a question is open, and when no action is left. */
export const currentAction = (call: Call): VoiceAction | undefined =>
  call.script?.question === null ? call.script.actions[call.script.index] : undefined
