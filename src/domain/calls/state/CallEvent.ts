// What can happen to a call. Instants are epoch milliseconds.
import type { Origin } from "../../access/Origin.ts"
import type { ConferencePartEvent } from "../../conferences/ConferencePart.ts"
import type { PbxEvent } from "../../pbx/PbxEvent.ts"
import type { RecordingStatus } from "../../recordings/RecordingRecord.ts"
import type { StreamEvent } from "../../streams/CallStream.ts"
import type { Ending, InboundSetup } from "./Call.ts"
import type { CallbackAttempt } from "./CallbackAttempt.ts"
import type { CallFacts } from "./CallFacts.ts"
import type { AnsweredBy, CallStatus } from "./CallRecord.ts"
import type { RecordingEvent } from "./CallRecordings.ts"
import type { Question } from "./Script.ts"
import type { ScriptEvent } from "./ScriptEvent.ts"
import type { StreamViewerEvent } from "./StreamViewer.ts"
import type { TranscriptNotice, TranscriptTurn } from "./Transcript.ts"

export type CallEvent =
  | { readonly _tag: "Originated"; readonly facts: CallFacts }
  | { readonly _tag: "Received"; readonly facts: CallFacts; readonly reception: InboundSetup }
  /** The first minute of an inbound call is held. */
  | { readonly _tag: "Admitted"; readonly at: number }
  /** The PBX is to answer the inbound call. */
  | { readonly _tag: "Answering"; readonly at: number }
  /** Events of the PBX up to `seq` are applied. `proof`: false if the last of them shows no talk. */
  | { readonly _tag: "PbxApplied"; readonly seq: number; readonly at: number; readonly proof?: false }
  /** An event of the PBX arrived before its turn. */
  | { readonly _tag: "PbxBuffered"; readonly event: PbxEvent; readonly at: number }
  | { readonly _tag: "PbxClosed" }
  /** The PBX showed that it has the session. */
  | { readonly _tag: "SessionConfirmed"; readonly at: number }
  /** The gateway reconnected and did not list the session. */
  | { readonly _tag: "SessionUnlisted"; readonly at: number }
  | { readonly _tag: "RemoteRinging"; readonly at: number; readonly step: "ringing" | "early_media" }
  /** The phone of a dialled leg was picked up; its parent call is asked to accept the leg. */
  | { readonly _tag: "PickedUp"; readonly at: number; readonly claim_by: number }
  | {
      readonly _tag: "Answered"
      readonly at: number
      readonly question: Question | null
      readonly detect_until: number | null
    }
  | {
      readonly _tag: "MachineDetected"
      readonly at: number
      readonly answered_by: AnsweredBy
      readonly confidence: number | null
      readonly answer_by: number
    }
  | { readonly _tag: "DigitPressed"; readonly at: number; readonly digit: string; readonly duration_ms: number | null }
  /** `order`: the PBX event's `seq`. */
  | { readonly _tag: "TranscriptTurnAdded"; readonly at: number; readonly said: TranscriptTurn; readonly order: number }
  | { readonly _tag: "TranscriptDeltaAdded"; readonly at: number; readonly notice: TranscriptNotice }
  /** The transcript is complete, except for turns that arrive late. */
  | { readonly _tag: "Transcribed"; readonly at: number }
  /** The PBX answered a call that has ended, or still has its session: it must hang up once more. */
  | { readonly _tag: "AnswerIgnored"; readonly at: number }
  /** The PBX called somebody when nobody was to be called any more (`not_after`): it must hang up. */
  | { readonly _tag: "StartedLate"; readonly at: number }
  /** An event of the PBX arrived after the end and changed nothing. */
  | { readonly _tag: "ArrivedLate"; readonly at: number; readonly step: string }
  | {
      readonly _tag: "CallbackFailed"
      readonly at: number
      readonly cause: string
      readonly http_status: number | null
      readonly pointer: string | null
      readonly detail: string
      readonly attempts?: ReadonlyArray<CallbackAttempt>
    }
  /** A customer requested the end that follows. For the audit log. */
  | {
      readonly _tag: "TerminationRequested"
      readonly at: number
      readonly origin: Origin
      readonly reason: string | null
    }
  | { readonly _tag: "Switched"; readonly at: number; readonly what: "mute" | "hold"; readonly on: boolean }
  /** A `tag` action would have exceeded the metadata limit. */
  | { readonly _tag: "TagRefused"; readonly at: number }
  | ScriptEvent
  | { readonly _tag: "Bridged"; readonly at: number }
  /** A deadline fired long after its time: the engine had been away. */
  | { readonly _tag: "Resumed"; readonly at: number }
  /** The wall clock was set while the call was under way. */
  | { readonly _tag: "ClockSet"; readonly by_ms: number }
  /** The first `minutes` minutes are paid for. */
  | { readonly _tag: "MinutePrepaid"; readonly minutes: number }
  /** What the wallet can pay now limits the talk to `seconds` after the answer. */
  | { readonly _tag: "TalkLimited"; readonly at: number; readonly seconds: number }
  /** The wallet refused the minute `minutes`. */
  | {
      readonly _tag: "BalanceWentLow"
      readonly at: number
      readonly minutes: number
      readonly remaining_seconds: number
    }
  /**
   * `confirmed`: the PBX reported the end, so it need not be told to hang up. `decided_at`: when the engine decided it,
   * if the talk counts as having ended earlier, at `at`. `awaited_until`: how long the PBX's report of the hang-up is
   * waited for before the call is charged, if that could make it cheaper.
   */
  | {
      readonly _tag: "HungUp"
      readonly at: number
      readonly ending: Ending
      readonly confirmed: boolean
      readonly decided_at?: number
      readonly awaited_until?: number
      /** What the caller of an unanswered inbound call hears before it is rejected. */
      readonly announcement?: string
    }
  | { readonly _tag: "Settled"; readonly at: number; readonly cost_minor: number }
  | { readonly _tag: "HoldReleased" }
  | { readonly _tag: "ParentNotified"; readonly status: CallStatus }
  | RecordingEvent
  | StreamEvent
  | ConferencePartEvent
  | StreamViewerEvent

/** Narrows to events of one tag. */
export type CallEventOf<Tag extends CallEvent["_tag"]> = Extract<CallEvent, { readonly _tag: Tag }>

const publicKinds: Partial<Record<CallEvent["_tag"], string>> = {
  Originated: "call.ringing",
  Received: "call.ringing",
  RemoteRinging: "call.progress",
  Answered: "call.answered",
  AnswerIgnored: "call.answer_ignored",
  StartedLate: "call.answer_ignored",
  ArrivedLate: "call.progress",
  CallbackFailed: "call.callback_failed",
  TagRefused: "call.progress",
  Switched: "call.progress",
  DialRefused: "call.progress",
  MachineDetected: "call.machine_detected",
  DigitPressed: "call.dtmf",
  TranscriptTurnAdded: "transcript.turn",
  Transcribed: "call.transcript_available",
  Bridged: "call.bridged",
  StreamStarted: "call.stream_started",
  StreamEnded: "call.stream_ended",
  BalanceWentLow: "call.balance_low",
  Settled: "call.completed"
}

const recordingKinds: Partial<Record<RecordingStatus, string>> = {
  available: "call.recording_available",
  failed: "call.recording_failed",
  expired: "call.recording_deleted",
  deleted: "call.recording_deleted"
}

/** The `kind` of the public event that customers receive; undefined if the event is internal. */
export const publicKind = (event: CallEvent): string | undefined => {
  switch (event._tag) {
    case "HungUp":
      return event.ending.status === "completed" ? undefined : `call.${event.ending.status}`
    case "RecordingChanged":
      return recordingKinds[event.status]
    default:
      return publicKinds[event._tag]
  }
}
