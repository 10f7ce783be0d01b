// The state of a call, by phase. Its members are stored, so they keep their spelling.
import { Schema } from "effect"
import { CallId, RecordingId } from "../../BrandedIds.ts"
import { Voicemail } from "../../chatapp/Reachability.ts"
import { ConferencePart } from "../../conferences/ConferencePart.ts"
import { Count, FiniteMs, Minor, orNull, optional as optionalKey } from "../../kit/Fields.ts"
import type { PbxEvent } from "../../pbx/PbxEvent.ts"
import { FinishedAudio } from "../../recordings/FinishedAudio.ts"
import { RecordingSource, RecordingStatus } from "../../recordings/RecordingRecord.ts"
import {
  beginningOf,
  beginsAs,
  given,
  list,
  nested,
  nullable,
  optional,
  type StateOf,
  storedAs,
  unstored
} from "../../state/StateMembers.ts"
import { CallStream } from "../../streams/CallStream.ts"
import type { VoiceAction } from "../verbs/VoiceAction.ts"
import { CallFacts, Forward } from "./CallFacts.ts"
import { CallbackLogEntry } from "./CallbackLog.ts"
import { AnsweredBy, CallStatus, EndStatus, HangupCause, HangupSource } from "./CallRecord.ts"
import { Dial } from "./Dial.ts"
import { Script } from "./Script.ts"
import { TranscriptNotice } from "./Transcript.ts"

/** How the call ended. */
export const Ending = Schema.Struct({
  status: EndStatus,
  cause: HangupCause,
  source: HangupSource,
  sip_code: orNull(Schema.Int),
  q850_cause: orNull(Schema.Int)
})
export type Ending = typeof Ending.Type

/** The phone of a dialled leg was picked up; the leg waits for its parent call to accept it. */
const PickUp = Schema.Struct({
  at: FiniteMs,
  /** The parent call must accept the leg by then. */
  claim_by: FiniteMs
})

/** A leg that must end because this call has ended or no longer waits for it. */
const Stopping = Schema.Struct({ call_id: CallId, cause: Schema.Literals(["normal_clearing", "answered_elsewhere"]) })
export type Stopping = typeof Stopping.Type

/** What the customer has switched on or off during the call. */
const Switch = Schema.Struct({
  on: Schema.Boolean,
  /** How often it was switched: part of the id of the PBX command. */
  count: Count
})
export type Switch = typeof Switch.Type

/** An inbound call, or one that a device placed, before it is answered. */
const InboundSetup = Schema.Struct({
  /**
   * `admitting`: its first minute is being held. `asking`: the number's voice_url is asked what to do. `forwarding`:
   * other destinations ring for it. `answering`: the PBX was told to answer it.
   */
  step: Schema.Literals(["admitting", "asking", "forwarding", "answering"]),
  forward: orNull(Forward),
  /** Played to a caller who is rejected because the wallet has no funds. */
  no_funds_message: orNull(Schema.String),
  /** What the caller hears before the line is dropped. Absent while the call goes on and if there is nothing to say. */
  announcement: optionalKey(Schema.String),
  /** A call from the chat app: when its caller is asked for a message. */
  voicemail: optionalKey(Voicemail),
  /** A call from the chat app outside the hours of the number: its caller is asked for a message at once. */
  closed: optionalKey(Schema.Literal(true))
})
export type InboundSetup = typeof InboundSetup.Type

/** The talk-time limit that the PBX enforces by itself. */
const MaxTalkTime = Schema.Struct({
  /** From the answer on, margin included. */
  seconds: Schema.Finite,
  /** How often it changed since the command to call or to answer. */
  count: Count
})
export type MaxTalkTime = typeof MaxTalkTime.Type

/**
 * A command for the PBX: its id without the call's own id, and when the call decided it. A pair, because it is written
 * with every change of the call.
 */
const SentCommand = Schema.Tuple([Schema.String, FiniteMs])
export type SentCommand = typeof SentCommand.Type

/** A client that follows the call live. */
const StreamViewer = Schema.Struct({
  stream_id: Schema.String,
  /** The id of the API key or session that opened the stream. */
  by: Schema.String,
  opened_at: FiniteMs,
  /** Null while it is open. The end of the call closes it too. */
  closed_at: orNull(FiniteMs)
})
export type StreamViewer = typeof StreamViewer.Type

/** How a recording ended, as the PBX reported it. */
const RecordingOutcome = Schema.Union([
  Schema.Struct({ audio: FinishedAudio }),
  Schema.Struct({ error: Schema.String })
])
export type RecordingOutcome = typeof RecordingOutcome.Type

const CallRecording = Schema.Struct({
  id: RecordingId,
  source: RecordingSource,
  channels: Schema.Literals([1, 2]),
  started_at: FiniteMs,
  /** Null while the PBX records. */
  outcome: orNull(RecordingOutcome),
  /** How much of this the recording's own actor knows. */
  told: Schema.Literals(["nothing", "start", "outcome"]),
  status: RecordingStatus
})
export type CallRecording = typeof CallRecording.Type

/** An event that was checked when the engine accepted it. */
const AcceptedEvent = Schema.declare(
  (value): value is PbxEvent => typeof value === "object" && value !== null && !Array.isArray(value)
)

/** What is known of the call's session at the PBX. */
const sessionMembers = {
  /** Events up to this number have been applied. */
  seq: beginsAs(Count, 0),
  /** Events that arrived before their turn, in order. */
  ahead: list(AcceptedEvent),
  /** Since when an event before them is missing. */
  gap_since: nullable(FiniteMs),
  /** When the PBX last showed that it has the session. */
  proof_at: beginsAs(FiniteMs, 0),
  /** When its gateway reconnected without listing the session. Stored with the next change of the call only. */
  doubted_at: optional(FiniteMs),
  /** No event of the session since the call was loaded: the engine may just have started. */
  recalled: unstored(Schema.Literal(true)),
  /** The PBX has ended the session, or will never confirm that it did. */
  closed: beginsAs(Schema.Boolean, false),
  /** When the PBX last showed a session that should have ended. It is told to hang up again. */
  revived_at: nullable(FiniteMs)
}
export type PbxSession = StateOf<typeof sessionMembers>

const placedPhases = ["ringing", "answered", "settling", "ended"] as const

/** The members in the order in which they are stored. Those that a stored call leaves out are as in a new call. */
export const callMembers = {
  id: given(CallId),
  phase: storedAs(Schema.Literals(["absent", ...placedPhases]), Schema.Literals(placedPhases), "absent"),
  facts: storedAs(orNull(CallFacts), CallFacts, null),
  /** How many public events there were. */
  sequence: beginsAs(Count, 0),
  ringing_at: nullable(FiniteMs),
  answered_at: nullable(FiniteMs),
  ended_at: nullable(FiniteMs),
  ending: nullable(Ending),
  cost_minor: nullable(Minor),
  /** Minutes paid in advance, counted from the answer. */
  covered_minutes: beginsAs(Count, 0),
  /** The minute that the wallet refused, once the customer was notified. */
  refused_minute: nullable(Count),
  /** Whether the wallet may still hold money for the call. */
  hold_open: beginsAs(Schema.Boolean, false),
  /** Absent while it is the maximum duration. */
  talk_limit: optional(MaxTalkTime),
  script: nullable(Script),
  /** The party has heard something, was asked, recorded or connected. */
  engaged: optional(Schema.Literal(true)),
  /** Questions to the voice callback. */
  consulted: optional(Schema.Array(CallbackLogEntry)),
  /** Absent also in calls of an older engine. */
  commands: optional(Schema.Array(SentCommand)),
  watches: optional(Schema.Array(StreamViewer)),
  /** Null unless the call came in and is not answered. */
  reception: nullable(InboundSetup),
  dial: nullable(Dial),
  child_call_ids: list(CallId),
  stopping: list(Stopping),
  /** Holds of finished dials, to be released once no leg can take them. */
  spare_hold_ids: list(Schema.String),
  picked_up: nullable(PickUp),
  /** Until when the call waits for machine detection. */
  detect_until: nullable(FiniteMs),
  answered_by: nullable(AnsweredBy),
  mute: nullable(Switch),
  hold: nullable(Switch),
  /** The status that the parent call knows. */
  told_parent: nullable(CallStatus),
  /** How many transcript turns are in the log. */
  turns: optional(Count),
  /** The latest pieces of the transcript. Its turns are in the log. */
  said: unstored(Schema.Array(TranscriptNotice)),
  recordings: optional(Schema.Array(CallRecording)),
  streams: optional(Schema.Array(CallStream)),
  conferences: optional(Schema.Array(ConferencePart)),
  /** When the engine came back and found a deadline of the call long past. */
  resumed_at: nullable(FiniteMs),
  /** Set while the call has ended and is not charged, because the PBX's report of the hang-up could make it cheaper. */
  hangup_awaited_until: optional(FiniteMs),
  /** By how much the wall clock was set since the call began, forward positive. The call's instants do not follow. */
  clock_set_ms: optional(Schema.Int),
  pbx: nested(sessionMembers)
}

type Members = StateOf<typeof callMembers>

/** The members that are null until a phase sets them. */
type SetByPhase = "facts" | "answered_at" | "ended_at" | "ending" | "cost_minor"

type InPhase<Phase extends Members["phase"], Set extends SetByPhase> = Omit<Members, SetByPhase | "phase"> & {
  readonly phase: Phase
} & { readonly [Name in SetByPhase]: Name extends Set ? NonNullable<Members[Name]> : null }

/** No such call exists. */
export type AbsentCall = InPhase<"absent", never>

export type RingingCall = InPhase<"ringing", "facts">

export type AnsweredCall = InPhase<"answered", "facts" | "answered_at">

/**
 * The talk is over and the charge is not yet on disk. Customers still see `answered`, so that `completed` never shows
 * before the debit.
 */
export type SettlingCall = InPhase<"settling", "facts" | "answered_at" | "ended_at" | "ending">

/** Was answered, has ended and is charged. */
export type CompletedCall = InPhase<"ended", SetByPhase>

/** Ended without an answer. */
export type UnansweredCall = InPhase<"ended", Exclude<SetByPhase, "answered_at">>

export type EndedCall = CompletedCall | UnansweredCall

/** A call that exists: ringing -> answered -> settling -> ended, or ringing -> ended. */
export type PlacedCall = RingingCall | AnsweredCall | SettlingCall | EndedCall
export type Call = AbsentCall | PlacedCall

const beginning = beginningOf(callMembers)

export const absentCall = (id: CallId): AbsentCall => ({ ...beginning, id })

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
