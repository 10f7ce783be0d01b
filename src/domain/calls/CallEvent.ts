// What can happen to a call. Instants are epoch milliseconds.
import type { Origin } from "../access/Origin.ts"
import type { PbxEvent } from "../pbx/PbxEvent.ts"
import type { RecordingStatus } from "../recordings/RecordingRecord.ts"
import type { Ending, InboundSetup } from "./Call.ts"
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
  | { readonly _tag: "Admitted"; readonly at: number }
  /** The PBX is to answer it. */
  | { readonly _tag: "Answering"; readonly at: number }
  /** An event of the PBX was taken: everything of the session up to `seq` is applied. */
  | { readonly _tag: "PbxApplied"; readonly seq: number; readonly at: number }
  | { readonly _tag: "PbxBuffered"; readonly event: PbxEvent; readonly at: number }
  | { readonly _tag: "PbxClosed" }
  | { readonly _tag: "Proved"; readonly at: number }
  | { readonly _tag: "Doubted"; readonly at: number }
  | { readonly _tag: "NetworkRang"; readonly at: number; readonly step: "ringing" | "early_media" }
  /** The phone was picked up, and the call that dialled it is asked whether it takes the leg. */
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
  | { readonly _tag: "TurnSaid"; readonly at: number; readonly said: TranscriptTurn; readonly order: number }
  | { readonly _tag: "DeltaSaid"; readonly at: number; readonly notice: TranscriptNotice }
  /** Its transcript is complete, but for what comes late. */
  | { readonly _tag: "Transcribed"; readonly at: number }
  | { readonly _tag: "AnswerIgnored"; readonly at: number }
  | { readonly _tag: "CameLate"; readonly at: number; readonly step: string }
  | {
      readonly _tag: "CallbackFailed"
      readonly at: number
      readonly cause: string
      readonly http_status: number | null
      readonly pointer: string | null
      readonly detail: string
    }
  /** The customer asked for the end that follows. */
  | { readonly _tag: "TerminationAsked"; readonly at: number; readonly origin: Origin; readonly reason: string | null }
  | { readonly _tag: "Switched"; readonly at: number; readonly what: "mute" | "hold"; readonly on: boolean }
  | { readonly _tag: "TagRefused"; readonly at: number }
  | ScriptEvent
  | { readonly _tag: "Bridged"; readonly at: number }
  /** A deadline was told long after its time: the engine had been away. */
  | { readonly _tag: "Resumed"; readonly at: number }
  | { readonly _tag: "CoverExtended"; readonly minutes: number }
  /** So long the PBX may let it talk from its answer on, by what the wallet can pay now. */
  | { readonly _tag: "TalkLimited"; readonly at: number; readonly seconds: number }
  | {
      readonly _tag: "BalanceWentLow"
      readonly at: number
      readonly minutes: number
      readonly remaining_seconds: number
    }
  /** `confirmed`: the PBX said so itself, so that it need not be told. `decided_at` where the talk is taken to have ended before. */
  | {
      readonly _tag: "HungUp"
      readonly at: number
      readonly ending: Ending
      readonly confirmed: boolean
      readonly decided_at?: number
    }
  | { readonly _tag: "Settled"; readonly at: number; readonly cost_minor: number }
  | { readonly _tag: "HoldReleased" }
  | { readonly _tag: "ParentTold"; readonly status: CallStatus }
  | RecordingEvent
  | StreamViewerEvent

const publicKinds: Partial<Record<CallEvent["_tag"], string>> = {
  Originated: "call.ringing",
  Received: "call.ringing",
  NetworkRang: "call.progress",
  Answered: "call.answered",
  AnswerIgnored: "call.answer_ignored",
  CameLate: "call.progress",
  CallbackFailed: "call.callback_failed",
  TagRefused: "call.progress",
  Switched: "call.progress",
  DialRefused: "call.progress",
  MachineDetected: "call.machine_detected",
  DigitPressed: "call.dtmf",
  TurnSaid: "transcript.turn",
  Transcribed: "call.transcript_available",
  Bridged: "call.bridged",
  BalanceWentLow: "call.balance_low",
  Settled: "call.completed"
}

const recordingKinds: Partial<Record<RecordingStatus, string>> = {
  available: "call.recording_available",
  failed: "call.recording_failed",
  expired: "call.recording_deleted",
  deleted: "call.recording_deleted"
}

/** The kind under which customers are told, or none. */
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
