// Tells what happens to the wall clock while the engine runs.
import { Context, type Effect } from "effect"
import type { ClockLeap } from "../../ClockLeap.ts"

export class ClockLeaps extends Context.Service<
  ClockLeaps,
  {
    /** Waits for the next leap. */
    readonly next: Effect.Effect<ClockLeap>
    /** Lets the engine's clock follow a wall clock that was set. Until then it goes on as if nothing had happened. */
    readonly follow: (leap: ClockLeap) => void
  }
>()("trunkline/domain/ports/ClockLeaps") {}
