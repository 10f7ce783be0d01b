// A call as its actor remembers it. Instants are epoch milliseconds.
import type { PbxEvent } from "../pbx/PbxEvent.ts"
import type { FinishedAudio } from "../recordings/FinishedAudio.ts"
import type { RecordingSource, RecordingStatus } from "../recordings/RecordingRecord.ts"
import type { CallFacts, Forward } from "./CallFacts.ts"
import type { CallbackLogEntry } from "./CallbackLog.ts"
import type { AnsweredBy, CallStatus, HangupCause, HangupSource } from "./CallRecord.ts"
import type { Dial } from "./Dial.ts"
import type { Script } from "./Script.ts"
import type { TranscriptNotice } from "./Transcript.ts"
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

/** The leg that was picked up, and waits to hear whether the call that dialled it takes it. */
export interface PickUp {
  readonly at: number
  /** The call that dialled it has until then to say so. */
  readonly claim_by: number
}

/** A leg that must end because this call has, or does not wait for it. */
export interface Stopping {
  readonly call_id: string
  readonly cause: "normal_clearing" | "answered_elsewhere"
}

/** Something that the customer has turned on or off in mid-call, for the `count`th time. */
export interface Switch {
  readonly on: boolean
  readonly count: number
}

export interface InboundSetup {
  /**
   * admitting: its money is being set aside. asking: its number's voice_url is asked what to do. forwarding: others are
   * rung for it. answering: the PBX was told to answer it.
   */
  readonly step: "admitting" | "asking" | "forwarding" | "answering"
  readonly forward: Forward | null
  /** Said to a caller who is refused for want of money. */
  readonly no_funds_message: string | null
}

export interface MaxTalkTime {
  /** From the answer on, the margin among them. */
  readonly seconds: number
  /** How often it has changed since the PBX was told to call or to answer. */
  readonly count: number
}

/** The command's id without the call's own, and epoch milliseconds. Compact: it is written with every change of the call. */
export type SentCommand = readonly [id: string, at: number]

export interface StreamViewer {
  readonly stream_id: string
  /** The API key or the session that opened it. */
  readonly by: string
  readonly opened_at: number
  /** Null while it is open; it ends with the call at the latest. */
  readonly closed_at: number | null
}

/** What the PBX says came of it. */
export type RecordingOutcome = { readonly audio: FinishedAudio } | { readonly error: string }

export interface CallRecording {
  readonly id: string
  readonly source: RecordingSource
  readonly channels: 1 | 2
  readonly started_at: number
  /** Null while the PBX records. */
  readonly outcome: RecordingOutcome | null
  /** How much of it the recording itself has heard. */
  readonly told: "nothing" | "start" | "outcome"
  readonly status: RecordingStatus
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
  /** How long the PBX is to let it talk by itself; absent where that is the maximum duration. */
  readonly talk_limit?: MaxTalkTime
  readonly script: Script | null
  /** Whether the party was spoken to, asked, recorded or connected: an action for it has begun. */
  readonly engaged?: true
  /** What its callback was asked; absent where it never was. */
  readonly consulted?: ReadonlyArray<CallbackLogEntry>
  /** What the PBX was told to do for it; absent where it never was, and of a call of an older engine. */
  readonly commands?: ReadonlyArray<SentCommand>
  /** Who followed it live; absent where nobody did. */
  readonly watches?: ReadonlyArray<StreamViewer>
  /** Of an inbound call that is not answered; null of every other. */
  readonly reception: InboundSetup | null
  readonly dial: Dial | null
  readonly child_call_ids: ReadonlyArray<string>
  readonly stopping: ReadonlyArray<Stopping>
  /** Money of dials that are over, to be given back once none of their legs can take it. */
  readonly spare_hold_ids: ReadonlyArray<string>
  readonly picked_up: PickUp | null
  /** Until when it is awaited who, or what, has answered. */
  readonly detect_until: number | null
  readonly answered_by: AnsweredBy | null
  readonly mute: Switch | null
  readonly hold: Switch | null
  /** What the call that dialled this one knows of it. */
  readonly told_parent: CallStatus | null
  /** Turns of its transcript that are in its log; absent where there are none. */
  readonly turns?: number
  /** The last of what was said, in memory alone. */
  readonly said?: ReadonlyArray<TranscriptNotice>
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
    /** When its gateway came back without naming the session. Not written for its own sake: a restart has the gateway come back. */
    readonly doubted_at?: number
    /** Nothing was heard of the session since the call was read: the engine may just be back. Memory alone. */
    readonly recalled?: true
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

/** A call that exists; every phase but absent. */
export type PlacedCall = Call & { readonly facts: CallFacts }

export const isPlaced = (call: Call): call is PlacedCall => call.facts !== null

export const statusOf = (call: Call): CallStatus =>
  call.phase === "ended"
    ? call.ending!.status
    : call.phase === "ringing" || call.phase === "absent"
      ? "ringing"
      : "answered"

/** Whether the call has heard of the leg, so that it certainly exists. */
export const isKnown = (call: Call, child_call_id: string): boolean => call.child_call_ids.includes(child_call_id)

export const isStopping = (call: Call, child_call_id: string): boolean =>
  call.stopping.some(({ call_id }) => call_id === child_call_id)

/** The action that the call is at, if no question is open and any is left. */
export const currentAction = (call: Call): VoiceAction | undefined =>
  call.script?.question === null ? call.script.actions[call.script.index] : undefined
