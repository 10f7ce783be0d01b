// Spares a receiver that is down, and the attempts of the deliveries to it: while the breaker is open nothing is sent,
// then one delivery probes. It lives in memory: after a restart a receiver is given the benefit of the doubt.

export interface Breaker {
  /** Null while closed. Epoch milliseconds. */
  readonly open_until: number | null
  /** How long it opens for, the next time. */
  readonly pause_ms: number
  /** Failures since the last success. */
  readonly in_row: number
  /** The last outcomes, oldest first. */
  readonly recent: ReadonlyArray<{ readonly at: number; readonly ok: boolean }>
  /** The pause is over and the outcome of one delivery decides. */
  readonly probing: boolean
}

const rowLimit = 10
const sample = 20
const sample_ms = 60_000
const firstPause_ms = 30_000
const maxPause_ms = 600_000

export const closed: Breaker = { open_until: null, pause_ms: firstPause_ms, in_row: 0, recent: [], probing: false }

export type BreakerPhase = "closed" | "open" | "half_open"

export const phase = ({ open_until, probing }: Breaker): BreakerPhase =>
  open_until === null ? "closed" : probing ? "half_open" : "open"

/** The pause is over: one delivery may try. */
export const halfOpen = (breaker: Breaker): Breaker => ({ ...breaker, probing: true })

const tripped = ({ in_row, recent }: Breaker, now: number): boolean => {
  if (in_row >= rowLimit) return true
  const within = recent.filter(({ at }) => at > now - sample_ms)
  return within.length >= sample && within.filter(({ ok }) => !ok).length * 2 >= within.length
}

export const afterOutcome = (breaker: Breaker, ok: boolean, now: number): Breaker => {
  switch (phase(breaker)) {
    case "open":
      // An attempt from before it opened. A success closes it at once: the receiver is there.
      return ok ? closed : breaker
    case "half_open": {
      if (ok) return closed
      const pause_ms = Math.min(breaker.pause_ms * 2, maxPause_ms)
      return { ...breaker, pause_ms, open_until: now + pause_ms, probing: false }
    }
    case "closed": {
      const next: Breaker = {
        ...breaker,
        in_row: ok ? 0 : breaker.in_row + 1,
        recent: [...breaker.recent.slice(1 - sample), { at: now, ok }]
      }
      return !ok && tripped(next, now) ? { ...next, open_until: now + next.pause_ms } : next
    }
  }
}
