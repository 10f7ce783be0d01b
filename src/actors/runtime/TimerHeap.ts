// A binary heap of timers: the earliest first, and at the same instant the one that was set first.

export interface Timer {
  /** Epoch milliseconds. */
  readonly at: number
  /** Counts the timers as they are set. */
  readonly order: number
  readonly fire: () => void
  cancelled: boolean
}

const isBefore = (one: Timer, other: Timer): boolean =>
  one.at < other.at || (one.at === other.at && one.order < other.order)

/** Cancelled timers stay in the heap until they are due, or until they are the majority of more than 1024. */
export class TimerHeap {
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
      if (isBefore(items[parent]!, timer)) break
      items[index] = items[parent]!
      index = parent
    }
    items[index] = timer
  }

  pop(): void {
    const { items } = this
    if (items[0]?.cancelled) this.cancelled--
    const last = items.pop()
    if (last !== undefined && items.length > 0) this.sink(last)
  }

  cancel(timer: Timer): void {
    timer.cancelled = true
    this.cancelled++
    if (this.cancelled < 1024 || this.cancelled * 2 < this.items.length) return
    this.items = this.items.filter((item) => !item.cancelled).sort((a, b) => a.at - b.at || a.order - b.order)
    this.cancelled = 0
  }

  /** Inserts a timer at the top and moves it down to its place. */
  private sink(timer: Timer): void {
    const { items } = this
    const { length } = items
    let index = 0
    for (;;) {
      const left = index * 2 + 1
      if (left >= length) break
      const child = left + 1 < length && isBefore(items[left + 1]!, items[left]!) ? left + 1 : left
      if (isBefore(timer, items[child]!)) break
      items[index] = items[child]!
      index = child
    }
    items[index] = timer
  }
}
