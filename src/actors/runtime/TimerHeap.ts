// A binary heap of timers, the earliest first.

export interface Timer {
  /** Epoch milliseconds. */
  readonly at: number
  readonly fire: () => void
  cancelled: boolean
}

/** Cancelled timers stay until their turn, but never outnumber the live ones by more than a few. */
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
      if (items[parent]!.at <= timer.at) break
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
    this.items = this.items.filter((item) => !item.cancelled).sort((a, b) => a.at - b.at)
    this.cancelled = 0
  }

  /** Puts a timer in at the top. */
  private sink(timer: Timer): void {
    const { items } = this
    const { length } = items
    let index = 0
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
