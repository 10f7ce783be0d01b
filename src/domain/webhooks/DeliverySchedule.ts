// When a delivery is retried (docs/webhooks.md). Due times are absolute, so a restart does not move them.

const second = 1_000
const minute = 60 * second
const hour = 60 * minute

/** The pause after the first failed attempt, the second, … */
const retrySchedule_ms = [5 * second, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour, 10 * hour]

export const maxAttempts = retrySchedule_ms.length + 1

/** A longer `Retry-After` counts as this. */
const maxRetryAfter_ms = hour

/** A number in [0, 1) that depends on the text alone (FNV-1a hash), so that jitter is reproducible. */
const fraction = (text: string): number => {
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  hash ^= hash >>> 15
  return (Math.imul(hash, 0x85ebca6b) >>> 0) / 2 ** 32
}

/**
 * When to retry after `attempts` failed attempts, in epoch milliseconds, with a jitter of ±20 %. Null: no attempts
 * remain. The receiver's `Retry-After` can delay the retry but not advance it.
 */
export const nextAttemptAt = (options: {
  readonly delivery_id: string
  readonly attempts: number
  readonly now: number
  readonly retry_after_ms: number | null
}): number | null => {
  const pause_ms = retrySchedule_ms[options.attempts - 1]
  if (pause_ms === undefined) return null
  const jitter = 0.8 + 0.4 * fraction(`${options.delivery_id}:${options.attempts}`)
  const requested_ms = Math.min(options.retry_after_ms ?? 0, maxRetryAfter_ms)
  return options.now + Math.max(Math.round(pause_ms * jitter), requested_ms)
}
