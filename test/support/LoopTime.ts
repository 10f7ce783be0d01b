// How long one thread works without letting anything else have its turn.
import { Effect } from "effect"

const threadTime = (): number => {
  const { system, user } = process.threadCpuUsage()
  return (user + system) / 1_000
}

/**
 * The longest piece of work between two turns of the event loop while an effect runs, in milliseconds of the
 * processor: what other processes take from this thread does not count.
 */
const longestPiece = <E, R>(effect: Effect.Effect<unknown, E, R>): Effect.Effect<number, E, R> =>
  Effect.suspend(() => {
    const state = { longest: 0, last: threadTime(), over: false }
    const turn = () => {
      const now = threadTime()
      state.longest = Math.max(state.longest, now - state.last)
      state.last = now
      if (!state.over) setImmediate(turn)
    }
    setImmediate(turn)
    return effect.pipe(
      Effect.andThen(Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))),
      Effect.andThen(Effect.sync(() => state.longest)),
      Effect.ensuring(
        Effect.sync(() => {
          state.over = true
        })
      )
    )
  })

/**
 * Only work that is always too long counts: neither a collection of garbage nor code that is compiled the first time.
 * `make` prepares an effect, which is not measured.
 */
export const shortestOfLongest = <E, R>(make: () => Effect.Effect<unknown, E, R>, times = 6) =>
  Effect.map(
    Effect.forEach(Array.from({ length: times }), () => longestPiece(make())),
    (pieces) => Math.min(...pieces)
  )

const sample = JSON.stringify(Array.from({ length: 2_000 }, (_, n) => ({ id: `id ${n}`, text: "x".repeat(200), n })))
/** What the work below takes on the machine for which the limits are written. */
const usual_ms = 4

/** How many times slower this machine is now than the one for which the limits are written; at least 1. */
export const slowness = Effect.sync(() => {
  const times = Array.from({ length: 7 }, () => {
    const start = threadTime()
    for (let n = 0; n < 3; n++) JSON.stringify(JSON.parse(sample))
    return threadTime() - start
  })
  return Math.max(1, Math.min(...times) / usual_ms)
})
