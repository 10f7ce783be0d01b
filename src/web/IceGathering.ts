// How long an offer or an answer waits for ICE candidates. SIP sends them all at once, and a TURN server that does not
// answer would hold the call up for 40 seconds.

/** What is gathered so far. */
export interface Gathered {
  readonly candidates: number
  readonly relays: number
  /** Since the first candidate, or since the beginning if there is none. */
  readonly waited_ms: number
  readonly complete: boolean
}

const withoutRelay_ms = 500
const forRelay_ms = 2_000
const forAny_ms = 5_000

/**
 * `send`: the offer or answer goes out with what there is. `fail`: there is no network to be heard through. `wait`:
 * look
 * again in so many milliseconds, or with the next candidate.
 */
export type GatheringVerdict = "send" | "fail" | { readonly wait_ms: number }

/** `wantsRelay`: the client has TURN servers, whose candidates take a moment longer. */
export const judgeGathering = (gathered: Gathered, wantsRelay: boolean): GatheringVerdict => {
  const { candidates, complete, relays, waited_ms } = gathered
  if (candidates === 0) {
    if (complete || waited_ms >= forAny_ms) return "fail"
    return { wait_ms: forAny_ms - waited_ms }
  }
  if (complete || relays > 0) return "send"
  const limit_ms = wantsRelay ? forRelay_ms : withoutRelay_ms
  return waited_ms >= limit_ms ? "send" : { wait_ms: limit_ms - waited_ms }
}
