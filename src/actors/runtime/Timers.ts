// All deadlines of a process in one heap, and one fiber that sleeps until the earliest. A deadline costs an object
// rather than a fiber, and nothing polls.
import { type Clock, Effect, type Fiber } from "effect"
import { type Timer, TimerHeap } from "./TimerHeap.ts"

/** How many timers fire before the fiber yields to the event loop. */
const batch = 512

export class Timers {
  private readonly heap = new TimerHeap()
  private readonly clock: Pick<Clock.Clock, "currentTimeMillisUnsafe">
  private readonly fork: (effect: Effect.Effect<void>) => Fiber.Fiber<void>
  private sleeper: Fiber.Fiber<void> | undefined
  private wakes_at = Number.POSITIVE_INFINITY
  private closed = false
  private paused = false
  private count = 0

  constructor(
    clock: Pick<Clock.Clock, "currentTimeMillisUnsafe">,
    fork: (effect: Effect.Effect<void>) => Fiber.Fiber<void>
  ) {
    this.clock = clock
    this.fork = fork
  }

  /** Calls `fire` at `at` (epoch milliseconds), or soon if that has passed. Never calls it synchronously. */
  set(at: number, fire: () => void): Timer {
    const timer: Timer = { at, order: ++this.count, fire, cancelled: false }
    this.heap.push(timer)
    if (at < this.wakes_at) this.sleepUntil(at)
    return timer
  }

  cancel(timer: Timer): void {
    if (!timer.cancelled) this.heap.cancel(timer)
  }

  /** Whether a timer is about to fire. */
  get due(): boolean {
    const { first } = this.heap
    return !this.closed && !this.paused && first !== undefined && first.at <= this.clock.currentTimeMillisUnsafe()
  }

  /** Fires nothing until `resume`. */
  pause(): void {
    this.paused = true
    this.sleeper?.interruptUnsafe()
    this.sleeper = undefined
    this.wakes_at = Number.NEGATIVE_INFINITY
  }

  /** Looks what is due by now: the clock may have been set. */
  resume(): void {
    this.paused = false
    this.wakes_at = Number.POSITIVE_INFINITY
    const { first } = this.heap
    if (first !== undefined) this.sleepUntil(first.at)
  }

  close(): void {
    this.closed = true
    this.sleeper?.interruptUnsafe()
  }

  private sleepUntil(at: number): void {
    if (this.closed || this.paused) return
    this.sleeper?.interruptUnsafe()
    this.wakes_at = at
    const wait_ms = at - this.clock.currentTimeMillisUnsafe()
    this.sleeper = this.fork(Effect.andThen(wait_ms > 0 ? Effect.sleep(wait_ms) : soon, this.ring))
  }

  /** Fires all due timers on the fiber that slept, so that a test's clock waits until they have fired. */
  private readonly ring: Effect.Effect<void> = Effect.suspend(() => {
    this.sleeper = undefined
    // Timers set meanwhile start no sleeper: the loop finds the earliest at its end.
    this.wakes_at = Number.NEGATIVE_INFINITY
    for (let fired = 0; fired < batch; fired++) {
      if (this.paused) return Effect.void
      const timer = this.heap.first
      if (timer === undefined || (!timer.cancelled && timer.at > this.clock.currentTimeMillisUnsafe())) {
        this.wakes_at = Number.POSITIVE_INFINITY
        if (timer !== undefined) this.sleepUntil(timer.at)
        return Effect.void
      }
      this.heap.pop()
      if (!timer.cancelled) this.fire(timer)
    }
    return Effect.andThen(Effect.yieldNow, this.ring)
  })

  private fire(timer: Timer): void {
    timer.cancelled = true
    try {
      timer.fire()
    } catch (defect) {
      this.fork(Effect.logError("The action of a timer failed", defect))
    }
  }
}

const soon = Effect.callback<void>((resume) => queueMicrotask(() => resume(Effect.void)))
