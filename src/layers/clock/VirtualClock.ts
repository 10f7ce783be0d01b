// A clock that stands still until somebody moves it. Each engine on such a clock has its own, so they may run side by
// side.
import { type Clock, Duration, Effect } from "effect"
import { type Timer, TimerHeap } from "../../actors/runtime/TimerHeap.ts"

export class VirtualClock {
  /** Epoch milliseconds. */
  now: number
  /** Counts the timers that were set: while it grows, the engine is at work. */
  timersSet = 0
  private readonly heap = new TimerHeap()

  constructor(start: number) {
    this.now = start
  }

  readonly service: Clock.Clock = {
    currentTimeMillisUnsafe: () => this.now,
    currentTimeMillis: Effect.sync(() => this.now),
    currentTimeNanosUnsafe: () => BigInt(this.now) * 1_000_000n,
    currentTimeNanos: Effect.sync(() => BigInt(this.now) * 1_000_000n),
    monotonicTimeNanosUnsafe: () => BigInt(this.now) * 1_000_000n,
    monotonicTimeNanos: Effect.sync(() => BigInt(this.now) * 1_000_000n),
    sleep: (duration) => this.sleep(Math.ceil(Duration.toMillis(duration)))
  }

  /** When the next timer is due. */
  get nextAt(): number | undefined {
    this.dropCancelled()
    return this.heap.first?.at
  }

  /** Moves to the next timer, and fires it with all others of that instant. */
  moveToNext(): void {
    const at = this.nextAt
    if (at === undefined) return
    this.now = Math.max(this.now, at)
    while (this.nextAt !== undefined && this.nextAt <= this.now) {
      const timer = this.heap.first
      this.heap.pop()
      if (timer === undefined) return
      timer.cancelled = true
      timer.fire()
    }
  }

  /** Lets time pass in which no timer is due. */
  passTo(at: number): void {
    this.now = Math.max(this.now, Math.min(at, this.nextAt ?? at))
  }

  after(wait_ms: number, fire: () => void): Timer {
    const timer: Timer = { at: this.now + wait_ms, order: ++this.timersSet, fire, cancelled: false }
    this.heap.push(timer)
    return timer
  }

  private sleep(wait_ms: number): Effect.Effect<void> {
    if (wait_ms <= 0) return Effect.yieldNow
    if (!Number.isFinite(wait_ms)) return Effect.never
    return Effect.callback<void>((resume) => {
      const timer = this.after(wait_ms, () => resume(Effect.void))
      return Effect.sync(() => {
        if (!timer.cancelled) this.heap.cancel(timer)
      })
    })
  }

  private dropCancelled(): void {
    while (this.heap.first?.cancelled) this.heap.pop()
  }
}
