// Every deadline of a process in one heap, with one fiber asleep until the earliest: a deadline costs an object, not a
// fiber, and nothing polls.
import { Clock, Effect, type Scope } from "effect"

export interface Timer {
  readonly at: number
  readonly fire: () => void
  cancelled: boolean
}

export interface Timers {
  readonly cancel: (timer: Timer) => void
  /** Calls `fire` at `at` (epoch milliseconds) or at once if that has passed, never before. */
  readonly set: (at: number, fire: () => void) => Timer
}

/** Cancelled timers stay in the heap until their turn, but never more than live ones do. */
class Heap {
  private items: Array<Timer> = []
  private cancelled = 0

  get first(): Timer | undefined {
    return this.items[0]
  }

  push(timer: Timer): void {
    const { items } = this
    let index = items.push(timer) - 1
    while (index > 0) {
      const parent = (index - 1) >> 1
      if (items[parent]!.at <= timer.at) break
      items[index] = items[parent]!
      index = parent
    }
    items[index] = timer
  }

  pop(): Timer | undefined {
    const { items } = this
    const top = items[0]
    const last = items.pop()
    if (last !== undefined && items.length > 0) this.sink(0, last)
    if (top?.cancelled) this.cancelled--
    return top
  }

  /** Half of the heap being dead, it is built anew without them. */
  forget(): void {
    this.cancelled++
    if (this.cancelled < 1024 || this.cancelled * 2 < this.items.length) return
    const live = this.items.filter((timer) => !timer.cancelled)
    live.sort((a, b) => a.at - b.at)
    this.items = live
    this.cancelled = 0
  }

  private sink(start: number, timer: Timer): void {
    const { items } = this
    const { length } = items
    let index = start
    for (;;) {
      const left = index * 2 + 1
      if (left >= length) break
      const child = left + 1 < length && items[left + 1]!.at < items[left]!.at ? left + 1 : left
      if (items[child]!.at >= timer.at) break
      items[index] = items[child]!
      index = child
    }
    items[index] = timer
  }
}

export const makeTimers: Effect.Effect<Timers, never, Scope.Scope> = Effect.gen(
  function*() {
    const clock = yield* Clock.Clock
    const heap = new Heap()
    let asleepUntil = Number.POSITIVE_INFINITY
    let wake: (() => void) | undefined

    const untilEarlier = Effect.callback<void>((resume) => {
      wake = () => resume(Effect.void)
    })

    const fireDue = () => {
      for (let top = heap.first; top !== undefined; top = heap.first) {
        if (!top.cancelled && top.at > clock.currentTimeMillisUnsafe()) return top.at
        heap.pop()
        if (top.cancelled) continue
        top.cancelled = true
        top.fire()
      }
      return Number.POSITIVE_INFINITY
    }

    yield* Effect.gen(function*() {
      while (true) {
        const next = fireDue()
        asleepUntil = next
        const wait = next === Number.POSITIVE_INFINITY
          ? untilEarlier
          : Effect.raceFirst(Effect.sleep(Math.max(1, next - clock.currentTimeMillisUnsafe())), untilEarlier)
        yield* wait
      }
    }).pipe(Effect.forkScoped({ startImmediately: true }))

    return {
      set: (at, fire) => {
        const timer: Timer = { at, fire, cancelled: false }
        heap.push(timer)
        if (at < asleepUntil) {
          asleepUntil = at
          const wakeDriver = wake
          wake = undefined
          wakeDriver?.()
        }
        return timer
      },
      cancel: (timer) => {
        if (timer.cancelled) return
        timer.cancelled = true
        heap.forget()
      }
    }
  }
)
