// Tells what happens to the wall clock while the engine runs, and what happened to it before.
import { Context, Effect, Layer } from "effect"
import { type ClockLeap, type LeapHistory, noLeaps } from "../../ClockLeap.ts"

/** A clock by which all processes of a cluster go. `ahead_ms`: how far the engine is ahead of it, if it answers. */
export interface CommonTime {
  readonly ahead_ms: Effect.Effect<number | undefined>
}

export class ClockLeaps extends Context.Service<
  ClockLeaps,
  {
    /** The wall clock was set while no engine ran. `follow` is to be called for it, as for the others. */
    readonly whileDown: ClockLeap | undefined
    /** Makes a start from now on know the engine's present time. It is done within a second by itself. */
    readonly keep: Effect.Effect<void>
    /** Undefined: the engine goes by the clock of its machine. */
    readonly common: CommonTime | undefined
    /** Waits for the next leap. */
    readonly next: Effect.Effect<ClockLeap>
    /** Lets the engine's clock follow a wall clock that was set. Until then it goes on as if nothing had happened. */
    readonly follow: (leap: ClockLeap) => void
    readonly history: () => LeapHistory
  }
>()("trunkline/domain/ports/ClockLeaps") {
  /** The clock of a test is never set. */
  static readonly none = Layer.succeed(ClockLeaps)({
    whileDown: undefined,
    keep: Effect.void,
    common: undefined,
    next: Effect.never,
    follow: () => {},
    history: () => noLeaps
  })
}
