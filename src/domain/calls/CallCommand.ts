// Everything that can be asked of a call, as it crosses between processes.
import { Schema } from "effect"
import { Origin } from "../access/Origin.ts"
import { PbxEvent } from "../pbx/PbxEvent.ts"
import { CallStatus, HangupCause, HangupSource } from "./CallRecord.ts"
import { LegOptions } from "./LegOptions.ts"
import { Metadata } from "./Metadata.ts"
import { Forward } from "./Reception.ts"
import { VoiceAction } from "./VoiceAction.ts"
import { IdempotentRequest } from "../idempotency/IdempotentRequest.ts"
import { RecordingStatus } from "../recordings/RecordingRecord.ts"
import { tagged } from "../Tagged.ts"

/** Why a destination of a dial is not called. */
export const LegRefusal = Schema.Struct({
  call_id: Schema.String,
  cause: HangupCause,
  /** The code of the error, and its reason where it has one. */
  detail: Schema.String,
  reason: Schema.NullOr(Schema.String),
  /** Not the destination is at fault, but what the others need too, such as money: none is tried after it. */
  whole: Schema.Boolean
})
export type LegRefusal = typeof LegRefusal.Type

/** What is fixed when a call is placed. Instants are epoch milliseconds. */
export const CallFacts = Schema.Struct({
  session_id: Schema.String,
  workspace_id: Schema.String,
  tenant_pbx_id: Schema.String,
  gateway_id: Schema.String,
  number_id: Schema.NullOr(Schema.String),
  parent_call_id: Schema.NullOr(Schema.String),
  parent_session_id: Schema.NullOr(Schema.String),
  direction: Schema.Literals(["outbound", "inbound"]),
  kind: Schema.Literals(["api", "dial", "webrtc", "sip", "chatapp"]),
  from: Schema.String,
  to: Schema.String,
  /** Of the other end, ISO 3166-1 alpha-2; absent where it has none. */
  country: Schema.optionalKey(Schema.String),
  caller_id: Schema.String,
  created_at: Schema.Int,
  currency: Schema.String,
  rate_per_min_minor: Schema.Int,
  matched_prefix: Schema.NullOr(Schema.String),
  timeout_seconds: Schema.Int,
  max_duration_seconds: Schema.Int,
  voice_callback_url: Schema.NullOr(Schema.String),
  voice_fallback_url: Schema.NullOr(Schema.String),
  metadata: Schema.Record(Schema.String, Schema.String),
  client_reference: Schema.NullOr(Schema.String),
  ...LegOptions.fields,
  /** How the PBX knows the devices that are called: those of an extension. */
  endpoint: Schema.optionalKey(Schema.String),
  /** The trunk of the workspace's own that it goes over or comes in by; absent: the platform's. */
  trunk_id: Schema.optionalKey(Schema.String),
  /** The money of the dial that the leg is one of several of: it gets its own when it is answered. */
  shared_hold_id: Schema.optionalKey(Schema.String)
})
export type CallFacts = typeof CallFacts.Type

/** What the wallet could still set aside after what was asked of it, minor units. */
const available_minor = Schema.optionalKey(Schema.Int)

export const CallCommand = Schema.Union([
  /** The first minute is already held under the call's own id. `available_minor`: what its wallet has beside all holds. */
  tagged("Originate", { facts: CallFacts, available_minor, idempotency: Schema.optionalKey(IdempotentRequest) }),
  /** A session that the engine did not set up, by its first event. `forward`: where it goes unless a voice_url is asked. */
  tagged("Incoming", {
    facts: CallFacts,
    event: PbxEvent,
    forward: Schema.NullOr(Forward),
    no_funds_message: Schema.NullOr(Schema.String)
  }),
  /** Whether the first minute of an inbound call is held, and its number may be called. */
  tagged("Admitted", { available_minor }),
  tagged("NotAdmitted", { cause: HangupCause }),
  tagged("PbxReported", { event: PbxEvent }),
  /** What was said last, for whoever joins. */
  tagged("Listen", {}),
  /** Somebody begins to follow it live, or has gone before its end. */
  tagged("Watch", { stream_id: Schema.String, by: Schema.String }),
  tagged("Unwatch", { stream_id: Schema.String }),
  /** A heartbeat of the PBX named the session at this instant. */
  tagged("ProofOfLife", { at: Schema.Int, tenant_pbx_id: Schema.String }),
  /** A gateway that connected at this instant did not name the session among those that it has. */
  tagged("Doubted", { at: Schema.Int }),
  tagged("Terminate", {
    source: HangupSource,
    cause: HangupCause,
    /** For the audit log, where a customer asks. */
    origin: Schema.optionalKey(Origin),
    reason: Schema.optionalKey(Schema.String),
    idempotency: Schema.optionalKey(IdempotentRequest)
  }),
  /** What the customer wants otherwise in mid-call. */
  tagged("Update", {
    actions: Schema.optionalKey(Schema.Array(VoiceAction)),
    mute: Schema.optionalKey(Schema.Boolean),
    hold: Schema.optionalKey(Schema.Boolean),
    metadata: Schema.optionalKey(Metadata),
    idempotency: Schema.optionalKey(IdempotentRequest)
  }),
  /** `step` says which question it is the answer to. */
  tagged("CallbackSucceeded", { step: Schema.Int, actions: Schema.Array(VoiceAction) }),
  tagged("CallbackFailed", {
    step: Schema.Int,
    cause: Schema.Literals(["callback_failed", "callback_timeout", "voice_action_invalid"]),
    http_status: Schema.NullOr(Schema.Int),
    pointer: Schema.NullOr(Schema.String),
    detail: Schema.String
  }),
  /** The action took so long that its end must have been missed, or it is one that only takes time. */
  tagged("ActionOverdue", { step: Schema.Int }),
  /** Nobody said who has answered. */
  tagged("MachineUndetected", {}),
  tagged("CoverExtended", { minutes: Schema.Int, available_minor }),
  tagged("CoverRefused", { minutes: Schema.Int }),
  /** Deadlines, told by the runtime. */
  tagged("RingTimedOut", {}),
  tagged("CoverRanOut", { minutes: Schema.Int }),
  tagged("MaxDurationReached", {}),
  tagged("SessionLost", {}),
  tagged("HangupUnconfirmed", {}),
  /** Money, told once the wallet has it on disk. */
  tagged("Settled", { cost_minor: Schema.Int, entry_id: Schema.NullOr(Schema.String) }),
  tagged("HoldReleased", {}),
  /** A dial: what may be called at all, and then each leg, as it fares. */
  tagged("DialSurveyed", { step: Schema.Int, refusals: Schema.Array(LegRefusal), available_minor }),
  tagged("ChildStarted", { child_call_id: Schema.String }),
  tagged("ChildRefused", { refusal: LegRefusal }),
  tagged("ChildPickedUp", { child_call_id: Schema.String, session_id: Schema.String }),
  tagged("ChildChanged", {
    child_call_id: Schema.String,
    status: CallStatus,
    sip_code: Schema.NullOr(Schema.Int),
    duration_seconds: Schema.NullOr(Schema.Int)
  }),
  /** `found`: the leg exists, and is over now. Else there is none yet. */
  tagged("ChildStopped", { child_call_id: Schema.String, found: Schema.Boolean }),
  tagged("SpareHoldReleased", { hold_id: Schema.String }),
  /** A leg: whether the call that dialled it takes it, and that it has been told. */
  tagged("PickUpClaimed", { won: Schema.Boolean, available_minor }),
  tagged("ParentTold", { status: CallStatus }),
  /** A recording has heard how it stands, or says itself what became of it. */
  tagged("RecordingTold", { recording_id: Schema.String, told: Schema.Literals(["start", "outcome"]) }),
  tagged("RecordingChanged", { recording_id: Schema.String, status: RecordingStatus, reason: Schema.NullOr(Schema.String) }),
  /** A deadline, told by the runtime: the PBX never said what became of the recording. */
  tagged("RecordingUnreported", { recording_id: Schema.String })
])
export type CallCommand = typeof CallCommand.Type
