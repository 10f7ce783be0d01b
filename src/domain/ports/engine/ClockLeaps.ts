// Tells what happens to the wall clock while the engine runs.
import { Context, Effect, Layer } from "effect"
import { type ClockLeap, type LeapHistory, noLeaps } from "../../ClockLeap.ts"

export class ClockLeaps extends Context.Service<
  ClockLeaps,
  {
    /** Waits for the next leap. */
    readonly next: Effect.Effect<ClockLeap>
    /** Lets the engine's clock follow a wall clock that was set. Until then it goes on as if nothing had happened. */
    readonly follow: (leap: ClockLeap) => void
    readonly history: () => LeapHistory
  }
>()("trunkline/domain/ports/ClockLeaps") {
  /** The clock of a test is never set. */
  static readonly none = Layer.succeed(ClockLeaps)({ next: Effect.never, follow: () => {}, history: () => noLeaps })
}
