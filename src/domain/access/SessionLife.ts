// How long a session lasts: it ends when it is not used for half a day, and after a month whatever is done with it.

export const session_idle_ms = 12 * 3_600_000
export const session_life_ms = 30 * 86_400_000

export interface SessionTimes {
  readonly last_seen_at: number
  /** The end of its life, used or not. */
  readonly expires_at: number
}

export const isAlive = ({ expires_at, last_seen_at }: SessionTimes, now: number): boolean =>
  now < expires_at && now < last_seen_at + session_idle_ms
