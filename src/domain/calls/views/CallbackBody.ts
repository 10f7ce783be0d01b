// The body of the request to a voice callback (docs/voice-actions.md).
import type { PlacedCall } from "../state/Call.ts"
import { callRecord } from "./CallView.ts"
import type { Question } from "../state/Script.ts"

/** Prepaid seconds of talk from `now` on. Null if talk costs nothing. */
const remainingSeconds = (call: PlacedCall, now: number): number | null =>
  call.facts.rate_per_min_minor === 0 || call.answered_at === null
    ? null
    : Math.max(0, Math.floor((call.answered_at + call.covered_minutes * 60_000 - now) / 1000))

/** The body for a call that is only tried. The signature covers it, so that nobody can pass it off as a real call. */
export const simulatedBody = (body: string): string => JSON.stringify({ simulated: true, ...JSON.parse(body) })

/** JSON text. `now`: epoch milliseconds. */
export const callbackBody = (call: PlacedCall, { reason, result }: Question, now: number): string => {
  const record = callRecord(call)
  return JSON.stringify({
    reason,
    call_id: record.id,
    session_id: record.session_id,
    parent_call_id: record.parent_call_id,
    workspace_id: record.workspace_id,
    number_id: record.number_id,
    direction: record.direction,
    from: record.from,
    to: record.to,
    caller_id: record.caller_id,
    status: record.status,
    answered_at: record.answered_at,
    answered_by: record.answered_by,
    sequence: call.sequence,
    remaining_seconds: remainingSeconds(call, now),
    metadata: record.metadata,
    client_reference: record.client_reference,
    result
  })
}
