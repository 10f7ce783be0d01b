// A clock that runs faster than real time.
import { type Clock, Duration, Effect } from "effect"

export interface Pace {
  readonly speed: number
  readonly epoch_ms: number
}

/** Epoch milliseconds that equal `now` at the epoch and run `speed` times as fast from then on. */
export const fastTime =
  ({ epoch_ms, speed }: Pace, now: () => number) =>
  (): number =>
    Math.floor(epoch_ms + (now() - epoch_ms) * speed)

/** The same as a Clock for Effect. */
export const fastClock = (pace: Pace): Clock.Clock => {
  const nowMillis = fastTime(pace, Date.now)
  const nowNanos = () => BigInt(nowMillis()) * 1_000_000n
  return {
    currentTimeMillisUnsafe: nowMillis,
    currentTimeMillis: Effect.sync(nowMillis),
    currentTimeNanosUnsafe: nowNanos,
    currentTimeNanos: Effect.sync(nowNanos),
    monotonicTimeNanosUnsafe: nowNanos,
    monotonicTimeNanos: Effect.sync(nowNanos),
    sleep: (duration) =>
      Effect.callback((resume) => {
        const timer = setTimeout(() => resume(Effect.void), Duration.toMillis(duration) / pace.speed)
        return Effect.sync(() => clearTimeout(timer))
      })
  }
}
