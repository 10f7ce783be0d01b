// The circuit breaker of a subscription. It opens when the receiver fails too often. While it is open nothing is sent,
// so that deliveries do not use up their attempts; after a pause one delivery probes. It is kept in memory: a restart
// closes it.

export interface Breaker {
  /** Null while closed. Epoch milliseconds. */
  readonly open_until: number | null
  /** How long it opens the next time. */
  readonly pause_ms: number
  /** Failures since the last success. */
  readonly in_row: number
  /** The last outcomes, oldest first. */
  readonly recent: ReadonlyArray<{ readonly at: number; readonly ok: boolean }>
  /** The pause is over, and one delivery is being tried. */
  readonly probing: boolean
}

/** The breaker opens after this many failures in a row, */
const maxInRow = 10
/** or when half of at least this many attempts within a minute failed. */
const sampleSize = 20
const sample_ms = 60_000
const firstPause_ms = 30_000
const maxPause_ms = 600_000

export const closed: Breaker = { open_until: null, pause_ms: firstPause_ms, in_row: 0, recent: [], probing: false }

export type BreakerPhase = "closed" | "open" | "half_open"

export const phase = ({ open_until, probing }: Breaker): BreakerPhase =>
  open_until === null ? "closed" : probing ? "half_open" : "open"

/** After the pause: lets one delivery try. */
export const halfOpen = (breaker: Breaker): Breaker => ({ ...breaker, probing: true })

const tripped = ({ in_row, recent }: Breaker, now: number): boolean => {
  if (in_row >= maxInRow) return true
  const within = recent.filter(({ at }) => at > now - sample_ms)
  return within.length >= sampleSize && within.filter(({ ok }) => !ok).length * 2 >= within.length
}

/** The breaker after an attempt that ended at `now`. */
export const afterOutcome = (breaker: Breaker, ok: boolean, now: number): Breaker => {
  switch (phase(breaker)) {
    case "open":
      // The attempt began before the breaker opened. A success shows that the receiver works.
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
        recent: [...breaker.recent.slice(1 - sampleSize), { at: now, ok }]
      }
      return !ok && tripped(next, now) ? { ...next, open_until: now + next.pause_ms } : next
    }
  }
}
