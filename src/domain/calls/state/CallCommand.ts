// The commands of a call: what each carries, what it replies, and the errors that refuse it. Instants are epoch
// milliseconds, amounts minor units.
import { Schema } from "effect"
import { ChatAppReception } from "../../chatapp/Reachability.ts"
import { Origin } from "../../access/Origin.ts"
import { ConferenceResult } from "../../conferences/ConferenceAction.ts"
import { Announcement, ParticipantSettings } from "../../conferences/ParticipantSettings.ts"
import { PbxEvent } from "../../pbx/PbxEvent.ts"
import { CallbackAttempt } from "./CallbackAttempt.ts"
import { CallRecord, CallStatus, HangupCause, HangupSource } from "./CallRecord.ts"
import { Metadata } from "../../kit/Metadata.ts"
import { CallFacts, Forward, LegRefusal } from "./CallFacts.ts"
import { VoiceAction } from "../verbs/VoiceAction.ts"
import { IdempotentRequest } from "../../idempotency/IdempotentRequest.ts"
import { RecordingStatus } from "../../recordings/RecordingRecord.ts"
import { commandsOf, type Message, type Reply, type Rules, type Tag } from "../../Command.ts"
import { CallActionUnsupported, CallNotFound, CallNotInProgress } from "../../errors/CallErrors.ts"
import { BadRequest, ServiceUnavailable } from "../../errors/GeneralErrors.ts"
import { PbxUnknownWorkspace } from "../../errors/PbxErrors.ts"
import type { Call, PlacedCall } from "./Call.ts"
import type { CallEvent } from "./CallEvent.ts"
import { TranscriptNotice } from "./Transcript.ts"
import { CallId, ConferenceId, RecordingId, SessionId } from "../../BrandedIds.ts"

/** What the wallet can hold beside its present holds; absent if it is unknown. */
const available_minor = Schema.optionalKey(Schema.Int)

export const Termination = Schema.Literals(["requested", "already_requested", "already_ended"])
export type Termination = typeof Termination.Type

/** The requests that were made; absent from engines that do not record them. */
const attempts = Schema.optionalKey(Schema.Array(CallbackAttempt))

const Terminated = Schema.Struct({ record: CallRecord, termination: Termination })

/** What the call did with an event of the PBX. */
const Outcome = Schema.Literals(["accepted", "duplicate", "ignored_late"])

export const CallCommands = commandsOf("Call", {
  /**
   * Creates an outbound call. Its first minute is held already, under the call's own id. Fails with ServiceUnavailable
   * if that was so long ago that the hold may be released.
   */
  Originate: {
    payload: { facts: CallFacts, available_minor, idempotency: Schema.optionalKey(IdempotentRequest) },
    reply: CallRecord,
    errors: [ServiceUnavailable]
  },
  /** Creates a call for a session that the PBX set up by itself, from its first event. */
  Incoming: {
    payload: {
      facts: CallFacts,
      event: PbxEvent,
      /** Where the call goes if it has no voice_callback_url. */
      forward: Schema.NullOr(Forward),
      no_funds_message: Schema.NullOr(Schema.String),
      /** What a call from the chat app obeys. */
      chatapp: Schema.optionalKey(ChatAppReception)
    },
    reply: Outcome,
    errors: [PbxUnknownWorkspace]
  },
  /** The first minute of the inbound call is held. */
  Admitted: { payload: { available_minor }, errors: [CallNotFound] },
  NotAdmitted: { payload: { cause: HangupCause }, errors: [CallNotFound] },
  PbxReported: { payload: { event: PbxEvent }, reply: Outcome, errors: [PbxUnknownWorkspace] },
  /** Replies with the latest pieces of the transcript, for a client that joins. */
  RecentTranscript: { reply: Schema.Array(TranscriptNotice), errors: [CallNotFound] },
  /** A client follows the call live. */
  AddViewer: { payload: { stream_id: Schema.String, by: Schema.String }, errors: [CallNotFound] },
  RemoveViewer: { payload: { stream_id: Schema.String }, errors: [CallNotFound] },
  /** A heartbeat of the PBX listed the session at `at`. */
  ProofOfLife: { payload: { at: Schema.Int, tenant_pbx_id: Schema.String } },
  /** A gateway that connected at `at` did not list the session. */
  SessionUnlisted: { payload: { at: Schema.Int } },
  /** The wall clock was set by `by_ms`, forward positive. The call goes on in the time that it began in. */
  ClockSet: { payload: { by_ms: Schema.Int }, errors: [CallNotFound] },
  Terminate: {
    payload: {
      source: HangupSource,
      cause: HangupCause,
      /** For the audit log, if a customer requests the end. */
      origin: Schema.optionalKey(Origin),
      reason: Schema.optionalKey(Schema.String),
      idempotency: Schema.optionalKey(IdempotentRequest)
    },
    reply: Terminated,
    errors: [CallNotFound]
  },
  /** Changes an answered call. */
  Update: {
    payload: {
      actions: Schema.optionalKey(Schema.Array(VoiceAction)),
      mute: Schema.optionalKey(Schema.Boolean),
      hold: Schema.optionalKey(Schema.Boolean),
      metadata: Schema.optionalKey(Metadata),
      idempotency: Schema.optionalKey(IdempotentRequest)
    },
    reply: CallRecord,
    errors: [CallNotFound, CallNotInProgress, CallActionUnsupported, BadRequest]
  },
  /** `step`: the question that was answered. */
  CallbackSucceeded: {
    payload: { step: Schema.Int, actions: Schema.Array(VoiceAction), attempts },
    errors: [CallNotFound]
  },
  CallbackFailed: {
    payload: {
      step: Schema.Int,
      cause: Schema.Literals(["callback_failed", "callback_timeout", "voice_action_invalid"]),
      http_status: Schema.NullOr(Schema.Int),
      pointer: Schema.NullOr(Schema.String),
      detail: Schema.String,
      attempts
    },
    errors: [CallNotFound]
  },
  /** A deadline: the time of the action is over. The report of its end may have been lost. */
  ActionOverdue: { payload: { step: Schema.Int }, errors: [CallNotFound] },
  /** A deadline: machine detection has brought no result. */
  MachineUndetected: { errors: [CallNotFound] },
  /** The wallet pays for the first `minutes` minutes. */
  MinutePrepaid: { payload: { minutes: Schema.Int, available_minor }, errors: [CallNotFound] },
  /** The wallet cannot pay for the minute `minutes`. */
  MinuteRefused: { payload: { minutes: Schema.Int }, errors: [CallNotFound] },
  /** The call's own deadlines. */
  RingTimedOut: { errors: [CallNotFound] },
  PrepaidTimeEnded: { payload: { minutes: Schema.Int }, errors: [CallNotFound] },
  MaxDurationReached: { errors: [CallNotFound] },
  SessionLost: { errors: [CallNotFound] },
  HangupUnconfirmed: { errors: [CallNotFound] },
  HangupOverdue: { errors: [CallNotFound] },
  /** The wallet has charged the call, or released its hold; both are on disk. */
  Settled: { payload: { cost_minor: Schema.Int, entry_id: Schema.NullOr(Schema.String) }, errors: [CallNotFound] },
  HoldReleased: { errors: [CallNotFound] },
  /** Every destination of the dial was checked, and money for them is held where they share it. */
  DialSurveyed: {
    payload: { step: Schema.Int, refusals: Schema.Array(LegRefusal), available_minor },
    errors: [CallNotFound]
  },
  ChildStarted: { payload: { child_call_id: CallId }, errors: [CallNotFound] },
  ChildRefused: { payload: { refusal: LegRefusal }, errors: [CallNotFound] },
  /** A leg was picked up. Replies whether this call accepts it. */
  ChildPickedUp: {
    payload: { child_call_id: CallId, session_id: SessionId },
    reply: Schema.Boolean,
    errors: [CallNotFound]
  },
  ChildChanged: {
    payload: {
      child_call_id: CallId,
      status: CallStatus,
      sip_code: Schema.NullOr(Schema.Int),
      duration_seconds: Schema.NullOr(Schema.Int)
    },
    errors: [CallNotFound]
  },
  /** `found`: the leg exists, and has ended now. Otherwise it does not exist yet. */
  ChildStopped: { payload: { child_call_id: CallId, found: Schema.Boolean }, errors: [CallNotFound] },
  SpareHoldReleased: { payload: { hold_id: Schema.String }, errors: [CallNotFound] },
  /** Whether the parent call accepts this leg, and its first minute is held. */
  PickUpClaimed: { payload: { won: Schema.Boolean, available_minor }, errors: [CallNotFound] },
  ParentNotified: { payload: { status: CallStatus }, errors: [CallNotFound] },
  /** The actor of the recording knows its start, or its outcome. */
  RecordingNotified: {
    payload: { recording_id: RecordingId, told: Schema.Literals(["start", "outcome"]) },
    errors: [CallNotFound]
  },
  RecordingChanged: {
    payload: { recording_id: RecordingId, status: RecordingStatus, reason: Schema.NullOr(Schema.String) },
    errors: [CallNotFound]
  },
  /** A deadline: the PBX has not reported the end of the stream. */
  StreamUnreported: { payload: { stream_id: Schema.String }, errors: [CallNotFound] },
  /** The call may not join its conference. */
  ConferenceRefused: { payload: { step: Schema.Int, result: ConferenceResult }, errors: [CallNotFound] },
  /** The conference has let the call in, or changes how it takes part. Replies whether the call is still in it. */
  ConferenceSettings: {
    payload: {
      conference_id: ConferenceId,
      step: Schema.Int,
      version: Schema.Int,
      settings: ParticipantSettings,
      announcement: Schema.NullOr(Announcement)
    },
    reply: Schema.Boolean,
    errors: [CallNotFound]
  },
  /** The conference has put the call out. */
  ConferenceExpelled: { payload: { step: Schema.Int, result: ConferenceResult }, errors: [CallNotFound] },
  /** The conference knows that the call has left. */
  ConferenceTold: { payload: { step: Schema.Int }, errors: [CallNotFound] },
  /** A deadline: the time limit of the conference for this call. */
  ConferenceTimeUp: { payload: { step: Schema.Int }, errors: [CallNotFound] },
  /** A deadline: the PBX has not reported how the recording ended. */
  RecordingUnreported: { payload: { recording_id: RecordingId }, errors: [CallNotFound] }
})
export type CallCommands = typeof CallCommands
export type CallMessage<T extends Tag<CallCommands> = Tag<CallCommands>> = Message<CallCommands, T>
export type CallReply<T extends Tag<CallCommands>> = Reply<CallCommands, T>
/** Rules for a call in certain phases. */
export type RulesFor<State extends Call> = Rules<State, CallCommands, CallEvent>
/** Rules for a call in any phase but `absent`. */
export type CallRules = RulesFor<PlacedCall>
