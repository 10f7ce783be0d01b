// The call as customers see it: in responses, in `call.*` webhooks and in lists.
import { Effect, Schema } from "effect"
import { CallKind } from "./CallKind.ts"
import { RecordingStatus } from "../../recordings/RecordingRecord.ts"
import { Livemode } from "../../kit/Livemode.ts"
import { Attestation } from "../../pbx/Attestation.ts"
import { CallId, SessionId, WorkspaceId } from "../../BrandedIds.ts"

export const CallDirection = Schema.Literals(["outbound", "inbound"])

/** How a call ended. */
export const EndStatus = Schema.Literals(["completed", "no_answer", "busy", "failed", "canceled"])

export const CallStatus = Schema.Literals(["ringing", "answered", ...EndStatus.literals])
export type CallStatus = typeof CallStatus.Type

export const HangupCause = Schema.Literals([
  "normal_clearing",
  "user_busy",
  "call_rejected",
  "no_answer",
  "no_user_response",
  "unallocated_number",
  "invalid_number_format",
  "network_congestion",
  "service_unavailable",
  "destination_refused",
  "insufficient_funds",
  "balance_exhausted",
  "max_duration",
  "ring_timeout",
  "canceled_by_workspace",
  "answered_elsewhere",
  "callback_failed",
  "callback_timeout",
  "voice_action_invalid",
  "actions_ended",
  "media_timeout",
  "session_lost",
  "machine_detected",
  "pbx_error",
  "no_route"
])
export type HangupCause = typeof HangupCause.Type

export const HangupSource = Schema.Literals(["caller", "callee", "workspace", "platform", "carrier"])
export type HangupSource = typeof HangupSource.Type

/** Who or what has answered, as detected by the PBX. */
export const AnsweredBy = Schema.Literals(["human", "machine", "unknown"])
export type AnsweredBy = typeof AnsweredBy.Type

const Instant = Schema.String
const nullable = Schema.NullOr

export const CallRecord = Schema.Struct({
  id: CallId,
  session_id: SessionId,
  parent_call_id: nullable(CallId),
  workspace_id: WorkspaceId,
  number_id: nullable(Schema.String),
  direction: CallDirection,
  kind: CallKind.annotate({
    description: "How the call came about: by the API, a `dial`, a browser, a SIP device or the chat app."
  }),
  status: CallStatus.annotate({ description: "The state of the call. It never goes back." }),
  from: Schema.String,
  to: Schema.String,
  caller_id: Schema.String,
  // Engines and events from before it do not have it.
  attestation: nullable(Attestation).pipe(Schema.withDecodingDefaultKey(Effect.succeed(null))),
  created_at: Instant,
  ringing_at: nullable(Instant),
  answered_at: nullable(Instant).annotate({ description: "When it was answered; `null` until then." }),
  ended_at: nullable(Instant).annotate({ description: "When it ended; `null` until then." }),
  duration_seconds: Schema.optionalKey(Schema.Int),
  billed_seconds: Schema.optionalKey(Schema.Int),
  rate_per_min_minor: Schema.Int,
  matched_prefix: nullable(Schema.String),
  cost_minor: Schema.optionalKey(Schema.Int),
  currency: Schema.String,
  answered_by: nullable(AnsweredBy),
  hangup_cause: nullable(HangupCause),
  hangup_source: nullable(HangupSource),
  sip_code: nullable(Schema.Int),
  q850_cause: nullable(Schema.Int),
  timeout_seconds: Schema.Int,
  max_duration_seconds: Schema.Int,
  recording: nullable(
    Schema.Struct({
      id: Schema.String,
      status: RecordingStatus,
      url: Schema.String.annotate({ description: "Where the recording can be read." })
    })
  ),
  metadata: Schema.Record(Schema.String, Schema.String),
  client_reference: nullable(Schema.String),
  child_call_ids: Schema.Array(CallId),
  agent: Schema.Null,
  terminating: Schema.Boolean,
  livemode: Livemode
}).annotate({ identifier: "CallRecord" })
export type CallRecord = typeof CallRecord.Type
