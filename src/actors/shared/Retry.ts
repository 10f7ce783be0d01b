import { Effect, Schedule } from "effect"

const backoff = Schedule.min([Schedule.exponential("100 millis"), Schedule.spaced("5 seconds")])

/**
 * Repeats the effect until it succeeds. Waits 100 ms after the first failure and twice as long after each further one,
 * at most five seconds. It is for work that must succeed and whose failures are temporary: it never gives up by itself.
 * Each failure is logged at debug level.
 */
export const retryWithBackoff = <A, E>(effect: Effect.Effect<A, E>): Effect.Effect<A> =>
  effect.pipe(
    Effect.tapError((error) => Effect.logDebug("Attempt failed; retrying", error)),
    Effect.retry(backoff),
    Effect.orDie
  )
