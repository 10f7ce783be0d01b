// The call as customers see it, made from its state: in responses, lists and events.
import { billOf } from "../state/Bill.ts"
import { type PlacedCall, statusOf } from "../state/Call.ts"
import type { CallRecord } from "../state/CallRecord.ts"
import { shownRecording } from "../state/CallRecordings.ts"
import { isLive } from "../../kit/Sandbox.ts"
import { callOfState } from "../state/StoredCall.ts"
import { type CallId, toCallId } from "../../BrandedIds.ts"
import { instantOrNull, isoInstant } from "../../kit/Instants.ts"

const recordingUrl = (call_id: CallId): string => `/v1/calls/${call_id}/recording`

export const callRecord = (call: PlacedCall): CallRecord => {
  const { facts } = call
  const recording = shownRecording(call)
  const ended = call.phase === "ended" ? call : undefined
  const bill = ended === undefined || ended.answered_at === null ? undefined : billOf(ended)
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
    attestation: facts.attestation ?? null,
    created_at: isoInstant(facts.created_at),
    ringing_at: instantOrNull(call.ringing_at),
    answered_at: instantOrNull(call.answered_at),
    ended_at: ended === undefined ? null : isoInstant(ended.ended_at),
    ...(bill && { duration_seconds: bill.duration_seconds, billed_seconds: bill.billed_seconds }),
    rate_per_min_minor: facts.rate_per_min_minor,
    matched_prefix: facts.matched_prefix,
    ...(ended && { cost_minor: ended.cost_minor }),
    currency: facts.currency,
    answered_by: call.answered_by,
    hangup_cause: ended?.ending.cause ?? null,
    hangup_source: ended?.ending.source ?? null,
    sip_code: ended?.ending.sip_code ?? null,
    q850_cause: ended?.ending.q850_cause ?? null,
    timeout_seconds: facts.timeout_seconds,
    max_duration_seconds: facts.max_duration_seconds,
    recording:
      recording === undefined ? null : { id: recording.id, status: recording.status, url: recordingUrl(call.id) },
    metadata: facts.metadata,
    client_reference: facts.client_reference,
    child_call_ids: call.child_call_ids,
    agent: null,
    terminating: call.phase === "settling",
    livemode: isLive(facts.workspace_id)
  }
}

/** The record of a stored call, from the JSON text of its state. */
export const callRecordFromState = (state: string): CallRecord => callRecord(callOfState(toCallId(""), state))
