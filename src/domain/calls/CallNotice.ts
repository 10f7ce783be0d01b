// The notices of a call's live stream, published after each commit.
import { Schema } from "effect"
import { TranscriptNotice } from "./Transcript.ts"
import { CallStatus } from "./CallRecord.ts"
import { CallId, SessionId } from "../BrandedIds.ts"

export const CallNotice = Schema.Struct({
  kind: Schema.String,
  call_id: CallId,
  session_id: SessionId,
  sequence: Schema.Int,
  status: CallStatus,
  occurred_at: Schema.String,
  direction: Schema.Literals(["outbound", "inbound"]),
  from: Schema.String,
  to: Schema.String,
  parent_call_id: Schema.NullOr(CallId),
  hangup_cause: Schema.optionalKey(Schema.String),
  duration_seconds: Schema.optionalKey(Schema.Int),
  cost_minor: Schema.optionalKey(Schema.Int)
}).annotate({ identifier: "CallNotice" })
export type CallNotice = typeof CallNotice.Type

/** Every notice of a call's live stream. */
export const StreamNotice = Schema.Union([CallNotice, TranscriptNotice])
export type StreamNotice = typeof StreamNotice.Type

export const isSaid = (notice: StreamNotice): notice is TranscriptNotice => "said" in notice
