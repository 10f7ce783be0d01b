// What is fixed about a call when it is placed, and two values that commands and events of a call share.
import { CallKind } from "./CallKind.ts"
import { Schema, Struct } from "effect"
import { Attestation } from "../../pbx/Attestation.ts"
import { Capability } from "../../pbx/Capabilities.ts"
import { HangupCause } from "./CallRecord.ts"
import { LegOptions } from "../verbs/LegOptions.ts"
import { AcceptedVoiceAction } from "../verbs/VoiceAction.ts"
import { CallId, GatewayId, NumberId, PbxTrunkId, SessionId, WorkspaceId } from "../../BrandedIds.ts"

/** Why a destination of a dial is not called. */
export const LegRefusal = Schema.Struct({
  call_id: CallId,
  cause: HangupCause,
  /** The error code. */
  detail: Schema.String,
  reason: Schema.NullOr(Schema.String),
  /** Whether it concerns all destinations, such as a lack of funds: then no other one is tried. */
  whole: Schema.Boolean
})
export type LegRefusal = typeof LegRefusal.Type

/** Why a destination was not called, as far as the caller may hear it. */
export const Refusal = LegRefusal.mapFields(Struct.pick(["cause", "reason"]))
export type Refusal = typeof Refusal.Type

/** What is fixed when a call is placed. Instants are epoch milliseconds. */
export const CallFacts = Schema.Struct({
  session_id: SessionId,
  workspace_id: WorkspaceId,
  tenant_pbx_id: Schema.String,
  gateway_id: GatewayId,
  number_id: Schema.NullOr(NumberId),
  parent_call_id: Schema.NullOr(CallId),
  parent_session_id: Schema.NullOr(SessionId),
  direction: Schema.Literals(["outbound", "inbound"]),
  kind: CallKind,
  from: Schema.String,
  to: Schema.String,
  /** Country of the other end, ISO 3166-1 alpha-2; absent if it has none. */
  country: Schema.optionalKey(Schema.String),
  caller_id: Schema.String,
  /** What the network says of an inbound caller's number. Absent: nothing. */
  attestation: Schema.optionalKey(Attestation),
  created_at: Schema.Int,
  currency: Schema.String,
  rate_per_min_minor: Schema.Int,
  matched_prefix: Schema.NullOr(Schema.String),
  /** Its rate has the class high_risk or premium. */
  high_risk: Schema.optionalKey(Schema.Literal(true)),
  timeout_seconds: Schema.Int,
  max_duration_seconds: Schema.Int,
  voice_callback_url: Schema.NullOr(Schema.String),
  voice_fallback_url: Schema.NullOr(Schema.String),
  /** What an outbound call does when it is answered, if no callback is asked. Absent once the script has them. */
  actions: Schema.optionalKey(Schema.Array(AcceptedVoiceAction)),
  metadata: Schema.Record(Schema.String, Schema.String),
  client_reference: Schema.NullOr(Schema.String),
  ...LegOptions.fields,
  /** The SIP user name of the extension that is called. */
  endpoint: Schema.optionalKey(Schema.String),
  /** The address of the host of a SIP URI, checked when the call was placed. */
  address: Schema.optionalKey(Schema.Struct({ ip: Schema.String, port: Schema.Int })),
  /** The workspace's own trunk that carries the call; absent: a trunk of the platform. */
  trunk_id: Schema.optionalKey(PbxTrunkId),
  /** What the gateway could do when the call began, beyond the first version of the protocol. Absent: nothing. */
  capabilities: Schema.optionalKey(Schema.Array(Capability)),
  /** The hold that all legs of the dial share. The leg gets a hold of its own when it is answered. */
  shared_hold_id: Schema.optionalKey(Schema.String)
})
export type CallFacts = typeof CallFacts.Type

/** Where a number forwards its calls: E.164 numbers and SIP URIs. Each rings for `timeout_seconds`. */
export const Forward = Schema.Struct({
  to: Schema.Array(Schema.String),
  sequential: Schema.NullOr(Schema.Boolean),
  timeout_seconds: Schema.Int
})
export type Forward = typeof Forward.Type
