import { Effect, Schedule } from "effect"

const first = "100 millis"
/** After the second failure, and on. */
const backoff = Schedule.min([Schedule.exponential("200 millis"), Schedule.spaced("5 seconds")])

/**
 * Repeats the effect until it succeeds. Waits 100 ms after the first failure and twice as long after each further one,
 * at most five seconds. It is for work that must succeed and whose failures are temporary: it never gives up by itself.
 * Each failure is logged at debug level. The schedule starts with a failure: most effects never have one.
 */
export const retryWithBackoff = <A, E>(effect: Effect.Effect<A, E>): Effect.Effect<A> => {
  const attempt = Effect.tapError(effect, (error) => Effect.logDebug("Attempt failed; retrying", error))
  return attempt.pipe(
    Effect.catch(() => Effect.delay(Effect.retry(attempt, backoff), first)),
    Effect.orDie
  )
}
