import { Effect } from "effect"

const first_ms = 100
const most_ms = 5_000

/**
 * Repeats the effect until it succeeds: after 100 ms, then twice as long each time, at most every five seconds. For work
 * that must succeed and whose failures pass; the plan decides when to stop trying.
 */
export const retryWithBackoff = <A, E>(effect: Effect.Effect<A, E>): Effect.Effect<A> => {
  const attempt = (pause_ms: number): Effect.Effect<A> =>
    Effect.catch(effect, () => Effect.andThen(Effect.sleep(pause_ms), attempt(Math.min(pause_ms * 2, most_ms))))
  return attempt(first_ms)
}
