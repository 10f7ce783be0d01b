// The body of the request to a voice callback (docs/voice-actions.md).
import type { PlacedCall } from "../state/Call.ts"
import { callRecord } from "./CallView.ts"
import type { Question } from "../state/Script.ts"
import { type CommonMember, commonMembers } from "./VoiceQuestion.ts"

/** Prepaid seconds of talk from `now` on. Null if talk costs nothing. */
const remainingSeconds = (call: PlacedCall, now: number): number | null =>
  call.facts.rate_per_min_minor === 0 || call.answered_at === null
    ? null
    : Math.max(0, Math.floor((call.answered_at + call.covered_minutes * 60_000 - now) / 1000))

/** The body for a call that is only tried. The signature covers it, so that nobody can pass it off as a real call. */
export const simulatedBody = (body: string): string => JSON.stringify({ simulated: true, ...JSON.parse(body) })

/** JSON text. `now`: epoch milliseconds. */
export const callbackBody = (call: PlacedCall, { reason, result }: Question, now: number): string => {
  const known: Readonly<Record<CommonMember, unknown>> = {
    ...callRecord(call),
    call_id: call.id,
    sequence: call.sequence,
    remaining_seconds: remainingSeconds(call, now)
  }
  return JSON.stringify({ reason, ...Object.fromEntries(commonMembers.map((name) => [name, known[name]])), result })
}
