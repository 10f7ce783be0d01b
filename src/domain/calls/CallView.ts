// The call as customers see it, built from what its actor remembers: one function for answers, lists and events.
import { billOf } from "./Bill.ts"
import { type PlacedCall, statusOf } from "./Call.ts"
import type { CallRecord } from "./CallRecord.ts"
import { shownRecording } from "./CallRecordings.ts"
import { callOfState } from "./StoredCall.ts"

const instant = (at: number | null): string | null => (at === null ? null : new Date(at).toISOString())

const recordingUrl = (call_id: string): string => `/v1/calls/${call_id}/recording`

export const callRecord = (call: PlacedCall): CallRecord => {
  const { answered_at, ended_at, ending, facts, phase } = call
  const recording = shownRecording(call)
  const over = phase === "ended" && answered_at !== null ? billOf(call) : undefined
  return {
    id: call.id,
    session_id: facts.session_id,
    parent_call_id: facts.parent_call_id,
    workspace_id: facts.workspace_id,
    number_id: facts.number_id,
    direction: facts.direction,
    kind: facts.kind,
    status: statusOf(call),
    from: facts.from,
    to: facts.to,
    caller_id: facts.caller_id,
    created_at: instant(facts.created_at)!,
    ringing_at: instant(call.ringing_at),
    answered_at: instant(answered_at),
    ended_at: phase === "ended" ? instant(ended_at) : null,
    ...(over && { duration_seconds: over.duration_seconds, billed_seconds: over.billed_seconds }),
    rate_per_min_minor: facts.rate_per_min_minor,
    matched_prefix: facts.matched_prefix,
    ...(phase === "ended" && { cost_minor: call.cost_minor ?? 0 }),
    currency: facts.currency,
    answered_by: call.answered_by ?? null,
    hangup_cause: phase === "ended" ? ending!.cause : null,
    hangup_source: phase === "ended" ? ending!.source : null,
    sip_code: phase === "ended" ? ending!.sip_code : null,
    q850_cause: phase === "ended" ? ending!.q850_cause : null,
    timeout_seconds: facts.timeout_seconds,
    max_duration_seconds: facts.max_duration_seconds,
    recording:
      recording === undefined ? null : { id: recording.id, status: recording.status, url: recordingUrl(call.id) },
    metadata: facts.metadata,
    client_reference: facts.client_reference,
    child_call_ids: call.child_call_ids,
    agent: null,
    terminating: phase === "settling"
  }
}

/** The record of a stored call, from the JSON text of its snapshot. */
export const callRecordFromState = (state: string): CallRecord => callRecord(callOfState("", state) as PlacedCall)
