import type { CallRecord } from "../../src/domain/calls/state/CallRecord.ts"
import { sessionOfCall } from "../../src/domain/pbx/Session.ts"
import type { CallId, WorkspaceId } from "../../src/domain/BrandedIds.ts"

/** The record of a call that was just placed. */
export const recordOf = (id: CallId, workspace_id: WorkspaceId, to: string, created_at: number): CallRecord => ({
  id,
  livemode: true,
  session_id: sessionOfCall(id),
  parent_call_id: null,
  workspace_id,
  number_id: null,
  direction: "outbound",
  kind: "api",
  status: "ringing",
  from: "+254700000001",
  to,
  caller_id: "+254700000001",
  attestation: null,
  created_at: new Date(created_at).toISOString(),
  ringing_at: null,
  answered_at: null,
  ended_at: null,
  rate_per_min_minor: 400,
  matched_prefix: "254",
  currency: "KES",
  answered_by: null,
  hangup_cause: null,
  hangup_source: null,
  sip_code: null,
  q850_cause: null,
  timeout_seconds: 30,
  max_duration_seconds: 14_400,
  recording: null,
  metadata: {},
  client_reference: null,
  child_call_ids: [],
  agent: null,
  terminating: false
})
