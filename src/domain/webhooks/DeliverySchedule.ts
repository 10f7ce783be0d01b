// When a delivery is tried again. Absolute times: a restart changes none of them.

const second = 1_000
const minute = 60 * second
const hour = 60 * minute

/** The pause after the first failed attempt, the second, … */
const pauses_ms = [5 * second, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour, 10 * hour]

export const maxAttempts = pauses_ms.length + 1

/** The longest `Retry-After` that is obeyed. */
const maxRetryAfter_ms = hour

/** A fraction of [0, 1) that depends on the text alone (FNV-1a), so that deciding stays pure and a run repeats. */
const fraction = (text: string): number => {
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  hash ^= hash >>> 15
  return (Math.imul(hash, 0x85ebca6b) >>> 0) / 2 ** 32
}

/**
 * When the attempt after the failed `attempts`-th is due, epoch milliseconds, with ±20 % of jitter; null: that was the
 * last. A receiver's `Retry-After` may put it off further, not bring it forward.
 */
export const nextAttemptAt = (options: {
  readonly delivery_id: string
  readonly attempts: number
  readonly now: number
  readonly retry_after_ms: number | null
}): number | null => {
  const pause_ms = pauses_ms[options.attempts - 1]
  if (pause_ms === undefined) return null
  const jitter = 0.8 + 0.4 * fraction(`${options.delivery_id}:${options.attempts}`)
  const asked_ms = Math.min(options.retry_after_ms ?? 0, maxRetryAfter_ms)
  return options.now + Math.max(Math.round(pause_ms * jitter), asked_ms)
}
