// How tests wait: with a bound, and with a failure that says what was awaited.
import { Effect } from "effect"
import { inspect } from "node:util"

interface UntilOptions {
  /** Milliseconds of real time until the wait fails. It ends a wait, and judges no speed. Default: 30,000. */
  readonly within_ms?: number
  /** Milliseconds of real time between two looks. 0: looks again in the next turn of the event loop. Default: 20. */
  readonly every_ms?: number
}

const pause = (ms: number) =>
  Effect.callback<void>((resume) => {
    if (ms === 0) {
      const turn = setImmediate(() => resume(Effect.void))
      return Effect.sync(() => clearImmediate(turn))
    }
    const timer = setTimeout(() => resume(Effect.void), ms)
    return Effect.sync(() => clearTimeout(timer))
  })

const shown = (seen: unknown): string => inspect(seen, { depth: 6, breakLength: 120 }).slice(0, 4_000)

interface Until {
  <A, B extends A, E, R>(
    what: string,
    look: Effect.Effect<A, E, R>,
    wanted: (seen: A) => seen is B,
    options?: UntilOptions
  ): Effect.Effect<B, E, R>
  <A, E, R>(
    what: string,
    look: Effect.Effect<A, E, R>,
    wanted: (seen: A) => boolean,
    options?: UntilOptions
  ): Effect.Effect<A, E, R>
}

/** A look that is under way at the bound may end: on a busy machine it may be the first in a long time. */
const lastLook_ms = 5_000

/**
 * Looks again and again until `wanted` accepts what it sees, and returns that. Dies after `within_ms`, also where a
 * look never ends; the message has `what`, which completes the sentence "No … within 30 s", and what was seen last. It
 * waits in real time, also where the Clock of the test stands still.
 */
export const until: Until = <A, E, R>(
  what: string,
  look: Effect.Effect<A, E, R>,
  wanted: (seen: A) => boolean,
  { every_ms = 20, within_ms = 30_000 }: UntilOptions = {}
): Effect.Effect<A, E, R> =>
  Effect.suspend(() => {
    const late_at = performance.now() + within_ms
    let last: unknown = "nothing"
    const late = Effect.suspend(() =>
      Effect.die(new Error(`No ${what} within ${within_ms / 1_000} s. Seen last: ${shown(last)}`))
    )
    const looks = Effect.gen(function* () {
      while (true) {
        const seen = yield* look
        last = seen
        if (wanted(seen)) return seen
        if (performance.now() > late_at) return yield* late
        yield* pause(every_ms)
      }
    })
    const limit = Effect.andThen(pause(within_ms + Math.min(within_ms, lastLook_ms)), late)
    // A finalizer cannot be interrupted, and would wait for the slower of the two.
    return Effect.raceFirst(Effect.interruptible(looks), Effect.interruptible(limit))
  })

/** Waits until a condition of this process holds, as `until` does. */
export const untilHolds = (what: string, holds: () => boolean, options?: UntilOptions): Effect.Effect<void> =>
  Effect.asVoid(until(what, Effect.sync(holds), (held) => held, options))
