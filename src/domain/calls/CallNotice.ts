// What the live stream of a call carries, told after the commit.
import { Schema } from "effect"
import { CallStatus } from "./CallRecord.ts"

export const CallNotice = Schema.Struct({
  kind: Schema.String,
  call_id: Schema.String,
  session_id: Schema.String,
  sequence: Schema.Int,
  status: CallStatus,
  occurred_at: Schema.String,
  direction: Schema.Literals(["outbound", "inbound"]),
  from: Schema.String,
  to: Schema.String,
  parent_call_id: Schema.NullOr(Schema.String),
  hangup_cause: Schema.optionalKey(Schema.String),
  duration_seconds: Schema.optionalKey(Schema.Int),
  cost_minor: Schema.optionalKey(Schema.Int)
}).annotate({ identifier: "CallNotice" })
export type CallNotice = typeof CallNotice.Type
