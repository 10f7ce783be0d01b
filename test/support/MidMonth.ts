// A clock for what depends on the day of the month.
import { Clock, Effect, Layer } from "effect"

/** Noon of the 15th (UTC) of the month of this instant. Epoch milliseconds. */
const middleOf = (at: number): number => {
  const date = new Date(at)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 15, 12)
}

/**
 * The real clock, set to the middle of the present month: an engine and its tests that share it see no month end, on
 * whatever day they run. PostgreSQL's own clock stays as it is.
 */
export const layer: Layer.Layer<never> = Layer.effect(
  Clock.Clock,
  Effect.gen(function* () {
    const real = yield* Clock.Clock
    const now = real.currentTimeMillisUnsafe()
    const ahead_ms = middleOf(now) - now
    const millis = () => real.currentTimeMillisUnsafe() + ahead_ms
    const nanos = () => real.currentTimeNanosUnsafe() + BigInt(ahead_ms) * 1_000_000n
    return {
      currentTimeMillisUnsafe: millis,
      currentTimeMillis: Effect.sync(millis),
      currentTimeNanosUnsafe: nanos,
      currentTimeNanos: Effect.sync(nanos),
      monotonicTimeNanosUnsafe: () => real.monotonicTimeNanosUnsafe(),
      monotonicTimeNanos: real.monotonicTimeNanos,
      sleep: (duration) => real.sleep(duration)
    }
  })
)
