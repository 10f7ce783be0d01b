// How far the engine is behind, by several signals together, and what it refuses therefore. Pure.

export interface LoopLoad {
  /** How late the event loop was at most since the last look, in milliseconds. */
  readonly late_ms: number
  /** The share of the last moments in which it was busy. */
  readonly busy: number
}

/** Who waits for a connection of a pool. */
export interface PoolQueue {
  /** How many wait. */
  readonly waiting: number
  /** The longest wait of those that got a connection since the last look and had none, in milliseconds. */
  readonly wait_ms: number
}

/** What waited since the last look. */
export interface Signals {
  /** How late the event loop was at most, in milliseconds. */
  readonly event_loop_ms: number
  /** The share of the time in which it was busy. */
  readonly event_loop_busy: number
  /** How long decisions wait until they are sent to the database. */
  readonly journal_wait_ms: number
  /** The longest wait for a database connection of somebody whose own share was not used up. */
  readonly pool_wait_ms: number
  /** Requests in work. With the rate at which they are done, they say how long each takes. */
  readonly requests: number
  /** Requests that came, for each second. */
  readonly requests_per_second: number
}

export const causes = ["journal", "event_loop", "database", "requests"] as const
export type Cause = (typeof causes)[number]

/** What is refused: lists and statistics, then also all of sandboxes that may be refused, then also new calls. */
export const levels = ["nothing", "reads", "sandboxes", "calls"] as const
export type Level = (typeof levels)[number]

export const rankOf = (level: Level): number => levels.indexOf(level)

/** From these on the engine is behind. */
export interface SignalLimits {
  readonly event_loop_ms: number
  readonly journal_wait_ms: number
  readonly pool_wait_ms: number
  readonly requests: number
}

/** Operators set these two. Waits for the disk may be twenty times as long as those for the processor. */
export const limitsOf = (event_loop_ms: number, max_requests: number): SignalLimits => ({
  event_loop_ms,
  journal_wait_ms: 20 * event_loop_ms,
  pool_wait_ms: 20 * event_loop_ms,
  requests: max_requests / 4
})

/** If nobody sets them. */
export const usualLimits = { event_loop_ms: 50, max_requests: 1_000 }

/**
 * With fewer requests, or while it is often idle, an event loop is not late because of requests, and refusing some
 * would not help: the processor may be busy with something else.
 */
export const busyFrom = { per_second: 100, share: 0.9 }

const isLoopBusy = ({ event_loop_busy, requests_per_second }: Signals): boolean =>
  requests_per_second >= busyFrom.per_second && event_loop_busy >= busyFrom.share

/** Each signal as a share of its limit. */
export const pressures = (signals: Signals, limits: SignalLimits): Readonly<Record<Cause, number>> => ({
  event_loop: isLoopBusy(signals) ? signals.event_loop_ms / limits.event_loop_ms : 0,
  journal: signals.journal_wait_ms / limits.journal_wait_ms,
  database: signals.pool_wait_ms / limits.pool_wait_ms,
  requests: signals.requests / limits.requests
})

export interface Situation {
  readonly level: Level
  /** The signal that is the highest, from when the level rises until nothing is refused. */
  readonly cause: Cause | undefined
  /** The highest signal, as a share of its limit. */
  readonly pressure: number
  /** How many looks in a row were above the limit, and above twice the limit. */
  readonly above: number
  readonly far_above: number
  /** Since when nothing has spoken against the next lower level, in epoch milliseconds. */
  readonly calm_since: number | undefined
}

export const atRest: Situation = {
  level: "nothing",
  cause: undefined,
  pressure: 0,
  above: 0,
  far_above: 0,
  calm_since: undefined
}

/** A level rises after this many looks in a row, so that one collection of garbage refuses nobody. */
const looks = 2
const far = 2
/** Below this share of the limits a level may fall, so that it does not rise again at once. */
const calmBelow = 0.5
/** How long the engine must have been calm before a level falls. Four levels fall within two seconds. */
const calm_ms = 500

const highest = (all: Readonly<Record<Cause, number>>): readonly [cause: Cause, pressure: number] => {
  let cause: Cause = "journal"
  for (const other of causes) if (all[other] > all[cause]) cause = other
  return [cause, all[cause]]
}

const levelAt = (rank: number): Level => levels[Math.min(Math.max(rank, 0), levels.length - 1)] ?? "nothing"

/**
 * The situation after the next look. Above the limit the level rises step by step, far above it at once to the last.
 * `refused`: whether the rate of what is admitted (FairRate.ts) has refused anybody since the last look. The demand is
 * then still higher than what the engine can do, and the calm is the work of the refusals.
 */
export const look = (
  before: Situation,
  all: Readonly<Record<Cause, number>>,
  { now, refused }: { readonly now: number; readonly refused: boolean }
): Situation => {
  const [strongest, pressure] = highest(all)
  const above = pressure >= 1 ? before.above + 1 : 0
  const far_above = pressure >= far ? before.far_above + 1 : 0
  const rank = rankOf(before.level)
  const calm_since = pressure < calmBelow && !refused ? (before.calm_since ?? now) : undefined
  if (above >= looks) {
    const level = levelAt(far_above >= looks ? levels.length : rank + 1)
    return { level, cause: strongest, pressure, above: 0, far_above, calm_since }
  }
  if (rank > 0 && calm_since !== undefined && now - calm_since >= calm_ms) {
    const level = levelAt(rank - 1)
    return { level, cause: rank === 1 ? undefined : before.cause, pressure, above, far_above, calm_since: now }
  }
  return { ...before, pressure, above, far_above, calm_since }
}
