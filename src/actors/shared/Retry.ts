import { Effect } from "effect"

const firstPause_ms = 100
const longestPause_ms = 5_000

/**
 * Repeats the effect until it succeeds. Waits 100 ms after the first failure and twice as long after each further one,
 * at most five seconds. It is for work that must succeed and whose failures are temporary: it never gives up by itself.
 * Each failure is logged at debug level.
 */
export const retryWithBackoff = <A, E>(effect: Effect.Effect<A, E>): Effect.Effect<A> => {
  const attempt = (pause_ms: number): Effect.Effect<A> =>
    Effect.catch(effect, (error) =>
      Effect.logDebug(`Attempt failed; retrying in ${pause_ms} ms`, error).pipe(
        Effect.andThen(Effect.sleep(pause_ms)),
        Effect.andThen(attempt(Math.min(pause_ms * 2, longestPause_ms)))
      )
    )
  return attempt(firstPause_ms)
}
