// How long a session lasts: 30 days, or until it is unused for 12 hours.

export const session_idle_ms = 12 * 3_600_000
export const session_life_ms = 30 * 86_400_000

export interface SessionTimes {
  readonly last_seen_at: number
  /** The latest end, epoch milliseconds. */
  readonly expires_at: number
}

export const isAlive = ({ expires_at, last_seen_at }: SessionTimes, now: number): boolean =>
  now < expires_at && now < last_seen_at + session_idle_ms
