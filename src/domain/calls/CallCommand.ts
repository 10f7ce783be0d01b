// Everything that can be asked of a call, as it crosses between processes.
import { Schema } from "effect"
import { Origin } from "../access/Origin.ts"
import { PbxEvent } from "../pbx/PbxEvent.ts"
import { CallRecord, CallStatus, HangupCause, HangupSource } from "./CallRecord.ts"
import { Metadata } from "./Metadata.ts"
import { CallFacts, Forward, LegRefusal } from "./CallFacts.ts"
import { VoiceAction } from "./VoiceAction.ts"
import { IdempotentRequest } from "../idempotency/IdempotentRequest.ts"
import { RecordingStatus } from "../recordings/RecordingRecord.ts"
import { commandsOf, type Message, type Reply, type Rules, type Tag } from "../Command.ts"
import { CallNotFound, CallNotInProgress } from "../errors/CallErrors.ts"
import { BadRequest } from "../errors/GeneralErrors.ts"
import { PbxUnknownWorkspace } from "../errors/PbxErrors.ts"
import type { PlacedCall } from "./Call.ts"
import type { CallEvent } from "./CallEvent.ts"
import { TranscriptNotice } from "./Transcript.ts"

/** What the wallet could still set aside after what was asked of it, minor units. */
const available_minor = Schema.optionalKey(Schema.Int)

export const Termination = Schema.Literals(["requested", "already_requested", "already_ended"])
export type Termination = typeof Termination.Type

const Terminated = Schema.Struct({ record: CallRecord, termination: Termination })

/** What became of an event of the PBX. */
const Outcome = Schema.Literals(["accepted", "duplicate", "ignored_late"])

export const CallCommands = commandsOf("Call", {
  /** The first minute is already held under the call's own id. `available_minor`: what its wallet has beside all holds. */
  Originate: {
    payload: { facts: CallFacts, available_minor, idempotency: Schema.optionalKey(IdempotentRequest) },
    reply: CallRecord
  },
  /** A session that the engine did not set up, by its first event. `forward`: where it goes unless a voice_url is asked. */
  Incoming: {
    payload: {
      facts: CallFacts,
      event: PbxEvent,
      forward: Schema.NullOr(Forward),
      no_funds_message: Schema.NullOr(Schema.String)
    },
    reply: Outcome,
    errors: [PbxUnknownWorkspace]
  },
  /** Whether the first minute of an inbound call is held, and its number may be called. */
  Admitted: { payload: { available_minor }, errors: [CallNotFound] },
  NotAdmitted: { payload: { cause: HangupCause }, errors: [CallNotFound] },
  PbxReported: { payload: { event: PbxEvent }, reply: Outcome, errors: [PbxUnknownWorkspace] },
  /** What was said last, for whoever joins. */
  Listen: { reply: Schema.Array(TranscriptNotice), errors: [CallNotFound] },
  /** Somebody begins to follow it live, or has gone before its end. */
  Watch: { payload: { stream_id: Schema.String, by: Schema.String }, errors: [CallNotFound] },
  Unwatch: { payload: { stream_id: Schema.String }, errors: [CallNotFound] },
  /** A heartbeat of the PBX named the session at this instant. */
  ProofOfLife: { payload: { at: Schema.Int, tenant_pbx_id: Schema.String } },
  /** A gateway that connected at this instant did not name the session among those that it has. */
  Doubted: { payload: { at: Schema.Int } },
  Terminate: {
    payload: {
      source: HangupSource,
      cause: HangupCause,
      /** For the audit log, where a customer asks. */
      origin: Schema.optionalKey(Origin),
      reason: Schema.optionalKey(Schema.String),
      idempotency: Schema.optionalKey(IdempotentRequest)
    },
    reply: Terminated,
    errors: [CallNotFound]
  },
  /** What the customer wants otherwise in mid-call. */
  Update: {
    payload: {
      actions: Schema.optionalKey(Schema.Array(VoiceAction)),
      mute: Schema.optionalKey(Schema.Boolean),
      hold: Schema.optionalKey(Schema.Boolean),
      metadata: Schema.optionalKey(Metadata),
      idempotency: Schema.optionalKey(IdempotentRequest)
    },
    reply: CallRecord,
    errors: [CallNotFound, CallNotInProgress, BadRequest]
  },
  /** `step` says which question it is the answer to. */
  CallbackSucceeded: { payload: { step: Schema.Int, actions: Schema.Array(VoiceAction) }, errors: [CallNotFound] },
  CallbackFailed: {
    payload: {
      step: Schema.Int,
      cause: Schema.Literals(["callback_failed", "callback_timeout", "voice_action_invalid"]),
      http_status: Schema.NullOr(Schema.Int),
      pointer: Schema.NullOr(Schema.String),
      detail: Schema.String
    },
    errors: [CallNotFound]
  },
  /** The action took so long that its end must have been missed, or it is one that only takes time. */
  ActionOverdue: { payload: { step: Schema.Int }, errors: [CallNotFound] },
  /** Nobody said who has answered. */
  MachineUndetected: { errors: [CallNotFound] },
  CoverExtended: { payload: { minutes: Schema.Int, available_minor }, errors: [CallNotFound] },
  CoverRefused: { payload: { minutes: Schema.Int }, errors: [CallNotFound] },
  /** Deadlines, told by the runtime. */
  RingTimedOut: { errors: [CallNotFound] },
  CoverRanOut: { payload: { minutes: Schema.Int }, errors: [CallNotFound] },
  MaxDurationReached: { errors: [CallNotFound] },
  SessionLost: { errors: [CallNotFound] },
  HangupUnconfirmed: { errors: [CallNotFound] },
  /** Money, told once the wallet has it on disk. */
  Settled: { payload: { cost_minor: Schema.Int, entry_id: Schema.NullOr(Schema.String) }, errors: [CallNotFound] },
  HoldReleased: { errors: [CallNotFound] },
  /** A dial: what may be called at all, and then each leg, as it fares. */
  DialSurveyed: {
    payload: { step: Schema.Int, refusals: Schema.Array(LegRefusal), available_minor },
    errors: [CallNotFound]
  },
  ChildStarted: { payload: { child_call_id: Schema.String }, errors: [CallNotFound] },
  ChildRefused: { payload: { refusal: LegRefusal }, errors: [CallNotFound] },
  ChildPickedUp: {
    payload: { child_call_id: Schema.String, session_id: Schema.String },
    reply: Schema.Boolean,
    errors: [CallNotFound]
  },
  ChildChanged: {
    payload: {
      child_call_id: Schema.String,
      status: CallStatus,
      sip_code: Schema.NullOr(Schema.Int),
      duration_seconds: Schema.NullOr(Schema.Int)
    },
    errors: [CallNotFound]
  },
  /** `found`: the leg exists, and is over now. Else there is none yet. */
  ChildStopped: { payload: { child_call_id: Schema.String, found: Schema.Boolean }, errors: [CallNotFound] },
  SpareHoldReleased: { payload: { hold_id: Schema.String }, errors: [CallNotFound] },
  /** A leg: whether the call that dialled it takes it, and that it has been told. */
  PickUpClaimed: { payload: { won: Schema.Boolean, available_minor }, errors: [CallNotFound] },
  ParentTold: { payload: { status: CallStatus }, errors: [CallNotFound] },
  /** A recording has heard how it stands, or says itself what became of it. */
  RecordingTold: {
    payload: { recording_id: Schema.String, told: Schema.Literals(["start", "outcome"]) },
    errors: [CallNotFound]
  },
  RecordingChanged: {
    payload: { recording_id: Schema.String, status: RecordingStatus, reason: Schema.NullOr(Schema.String) },
    errors: [CallNotFound]
  },
  /** A deadline, told by the runtime: the PBX never said what became of the recording. */
  RecordingUnreported: { payload: { recording_id: Schema.String }, errors: [CallNotFound] }
})
export type CallCommands = typeof CallCommands
export type CallMessage<T extends Tag<CallCommands> = Tag<CallCommands>> = Message<CallCommands, T>
export type CallReply<T extends Tag<CallCommands>> = Reply<CallCommands, T>
/** Of a call that was placed. */
export type CallRules = Rules<PlacedCall, CallCommands, CallEvent>
