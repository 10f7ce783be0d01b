// Rules for an inbound call before it is answered (docs/inbound.md).
import type { Ending } from "./Call.ts"
import type { Forward } from "./CallFacts.ts"
import type { HangupCause } from "./CallRecord.ts"
import type { VoiceAction } from "../verbs/VoiceAction.ts"

/** A PBX may report a call late, or with a wrong clock. No call is dated further back than this. */
const maxReportDelay_ms = 300_000

/** When a call came in, from the PBX's time of its first event. Epoch milliseconds. */
export const cameInAt = (occurred_at: string, now: number): number =>
  Math.max(now - maxReportDelay_ms, Math.min(now, Date.parse(occurred_at)))

/** Forwarding is a dial. Its destinations are the number's own, and may have forms that documents may not name. */
export const forwardAction = ({ sequential, timeout_seconds, to }: Forward): VoiceAction => ({
  dial: { numbers: to, timeout: timeout_seconds, ...(sequential !== null && { sequential }) }
})

/** How long a caller hears it ring at most: all attempts, and 20 seconds to ask the callback. */
export const ringLimit_seconds = (forward: Forward | null): number => {
  const asking = 20
  if (forward === null) return asking
  return asking + forward.timeout_seconds * (forward.sequential === true ? forward.to.length : 1)
}

/**
 * The final response to the caller's network (RFC 3261, section 21). All other causes: 480, temporarily unavailable.
 */
const sipCodes: Partial<Record<HangupCause, number>> = {
  user_busy: 486,
  call_rejected: 603,
  destination_refused: 403,
  no_route: 404,
  network_congestion: 503,
  service_unavailable: 503,
  callback_failed: 503,
  callback_timeout: 503,
  voice_action_invalid: 503
}

export const rejectionCode = ({ cause }: Ending): number => sipCodes[cause] ?? 480
