// Every deadline of a process in one heap, and one fiber asleep until the earliest: a deadline costs an object, not a
// fiber, and nothing polls.
import { type Clock, Effect, type Fiber } from "effect"
import { type Timer, TimerHeap } from "./TimerHeap.ts"

/** So many fire in one go; then the event loop gets its turn. */
const batch = 512

export class Timers {
  private readonly heap = new TimerHeap()
  private readonly clock: Clock.Clock
  private readonly fork: (effect: Effect.Effect<void>) => Fiber.Fiber<void>
  private sleeper: Fiber.Fiber<void> | undefined
  private wakes_at = Number.POSITIVE_INFINITY
  private closed = false

  constructor(clock: Clock.Clock, fork: (effect: Effect.Effect<void>) => Fiber.Fiber<void>) {
    this.clock = clock
    this.fork = fork
  }

  /** Calls `fire` at `at` (epoch milliseconds), or soon if that has passed: never before, and never within this call. */
  set(at: number, fire: () => void): Timer {
    const timer: Timer = { at, fire, cancelled: false }
    this.heap.push(timer)
    if (at < this.wakes_at) this.sleepUntil(at)
    return timer
  }

  cancel(timer: Timer): void {
    if (!timer.cancelled) this.heap.cancel(timer)
  }

  close(): void {
    this.closed = true
    this.sleeper?.interruptUnsafe()
  }

  private sleepUntil(at: number): void {
    if (this.closed) return
    this.sleeper?.interruptUnsafe()
    this.wakes_at = at
    const wait_ms = at - this.clock.currentTimeMillisUnsafe()
    const sleep = wait_ms > 0 ? Effect.sleep(wait_ms) : Effect.yieldNow
    this.sleeper = this.fork(Effect.andThen(sleep, Effect.sync(() => this.ring())))
  }

  private ring(): void {
    const { heap } = this
    this.sleeper = undefined
    // Nothing that is set meanwhile need start a sleeper: the earliest is looked for below.
    this.wakes_at = Number.NEGATIVE_INFINITY
    for (let fired = 0; fired < batch; fired++) {
      const timer = heap.first
      if (timer === undefined) break
      if (!timer.cancelled && timer.at > this.clock.currentTimeMillisUnsafe()) break
      heap.pop()
      if (!timer.cancelled) this.fire(timer)
    }
    this.wakes_at = Number.POSITIVE_INFINITY
    if (heap.first !== undefined) this.sleepUntil(heap.first.at)
  }

  private fire(timer: Timer): void {
    timer.cancelled = true
    try {
      timer.fire()
    } catch (defect) {
      this.fork(Effect.logError("A timer died", defect))
    }
  }
}
