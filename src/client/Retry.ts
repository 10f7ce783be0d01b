// When a request is tried again, and how long the client waits before that. Without clock and chance.

/** What an attempt came to: the status and code of an answer; without a status, none came. */
export interface Outcome {
  readonly status?: number
  readonly code?: string
  /** The header `Retry-After`. */
  readonly retryAfter?: string | null
}

/** Statuses after which the same request may succeed. */
const passing = new Set([408, 429, 500, 502, 503, 504])

export const isPassing = ({ code, status }: Outcome): boolean =>
  status === undefined || passing.has(status) || code === "idempotency.in_progress"

/**
 * Whether a repetition can do no harm. A POST without an Idempotency-Key is repeated only after an answer that says
 * that it was not carried out.
 */
export const isSafe = (method: string, hasKey: boolean, { status }: Outcome): boolean =>
  method !== "POST" || hasKey || status === 429

/** Seconds of `Retry-After`; null without one. A date counts from `now`, in epoch milliseconds. */
export const secondsOf = (retryAfter: string | null | undefined, now: number): number | null => {
  if (retryAfter === null || retryAfter === undefined || retryAfter.trim() === "") return null
  if (/^\d+$/.test(retryAfter.trim())) return Number(retryAfter)
  const at = Date.parse(retryAfter)
  return Number.isNaN(at) ? null : Math.max(0, Math.ceil((at - now) / 1000))
}

/** A longer wait is left to the application. */
const longestWait_s = 60

/**
 * Milliseconds before the attempt after the given number of attempts; undefined: it is not tried again. `chance`: from
 * 0 to 1, so that clients which failed together do not come again together.
 */
export const waitBefore = (attempts: number, retryAfter_s: number | null, chance: number): number | undefined => {
  if (retryAfter_s === null) return 500 * 2 ** (attempts - 1) * (0.75 + chance / 2)
  return retryAfter_s > longestWait_s ? undefined : retryAfter_s * 1000
}
