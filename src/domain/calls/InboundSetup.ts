// An inbound call before it is answered: what it waits for, and where it goes (docs/inbound.md).
import type { Ending } from "./Call.ts"
import type { Forward } from "./CallFacts.ts"
import type { HangupCause } from "./CallRecord.ts"
import type { VoiceAction } from "./VoiceAction.ts"

/** A PBX whose clock is wrong, or that tells of a call long afterwards, places none further back. */
const told_late_ms = 300_000

/** When a call came in that is told of now, as the PBX has it. */
export const cameInAt = (occurred_at: string, now: number): number =>
  Math.max(now - told_late_ms, Math.min(now, Date.parse(occurred_at)))

/** To forward is to dial: the destinations are the number's own, and beyond the forms that a document may name. */
export const forwardAction = ({ sequential, timeout_seconds, to }: Forward): VoiceAction => ({
  dial: { numbers: to, timeout: timeout_seconds, ...(sequential !== null && { sequential }) }
})

/** How long a caller hears it ring at most: all that can be tried, and the time that it takes to ask. */
export const patience_seconds = (forward: Forward | null): number => {
  const asking = 20
  if (forward === null) return asking
  return asking + forward.timeout_seconds * (forward.sequential === true ? forward.to.length : 1)
}

/** What the caller's network is told (RFC 3261, section 21); others mean that nobody is there for now. */
const sip_codes: Partial<Record<HangupCause, number>> = {
  user_busy: 486,
  call_rejected: 603,
  no_route: 404,
  network_congestion: 503,
  service_unavailable: 503,
  callback_failed: 503,
  callback_timeout: 503,
  voice_action_invalid: 503
}

export const rejectionCode = ({ cause }: Ending): number => sip_codes[cause] ?? 480
