// Timers of a PBX. A phone call goes on when the wall clock is set: each timer waits as long as it was meant to wait.
import type { Clock, Effect, Fiber } from "effect"
import type { Timer } from "../../actors/runtime/TimerHeap.ts"
import { Timers } from "../../actors/runtime/Timers.ts"

const monotonic = (clock: Clock.Clock): number => Math.floor(Number(clock.monotonicTimeNanosUnsafe()) / 1_000_000)

export class SteadyTimers extends Timers {
  private readonly wall: Clock.Clock

  constructor(clock: Clock.Clock, fork: (effect: Effect.Effect<void>) => Fiber.Fiber<void>) {
    super({ currentTimeMillisUnsafe: () => monotonic(clock) }, fork)
    this.wall = clock
  }

  /** Calls `fire` at `at` (epoch milliseconds) by the present wall clock, however it is set meanwhile. */
  override set(at: number, fire: () => void): Timer {
    return super.set(monotonic(this.wall) + at - this.wall.currentTimeMillisUnsafe(), fire)
  }
}
