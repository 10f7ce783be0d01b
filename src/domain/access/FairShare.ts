// Divides a resource that all workspaces use. Pure; `makeFairShare` in FairShares.ts runs effects by it.

export interface ShareLimits {
  /** How many may use the resource at a time. */
  readonly total: number
  /** How many of one holder may use it at a time. */
  readonly each: number
  /** How many of one holder may wait for it. */
  readonly waiting: number
  /** How many may wait for it altogether. Default: without a limit of its own. */
  readonly waiting_total?: number
}

interface Holder<T> {
  using: number
  readonly queue: Array<T>
}

/**
 * Who may use a resource now, who waits, and who is refused. `T` is what waits. Of the holders that wait, the one that
 * uses least is next; among equals the one that began to wait first.
 */
export class FairShare<T> {
  private readonly limits: ShareLimits
  private readonly holders = new Map<string, Holder<T>>()
  /** The holders with a queue, in the order in which they began to wait. */
  private readonly waiting = new Map<string, Holder<T>>()
  private using = 0
  private queued = 0

  constructor(limits: ShareLimits) {
    this.limits = limits
  }

  get inUse(): number {
    return this.using
  }

  get inQueue(): number {
    return this.queued
  }

  /** How many of the holder use the resource. */
  usedBy(who: string): number {
    return this.holders.get(who)?.using ?? 0
  }

  /** `waiting`: `leave` of somebody else returns the item when it is its turn. */
  enter(who: string, item: T): "entered" | "waiting" | "refused" {
    const holder = this.holders.get(who) ?? { using: 0, queue: [] }
    const { each, total, waiting, waiting_total = Number.POSITIVE_INFINITY } = this.limits
    if (holder.queue.length === 0 && holder.using < each && this.using < total) {
      this.admit(who, holder)
      return "entered"
    }
    if (holder.queue.length >= waiting || this.queued >= waiting_total) return "refused"
    holder.queue.push(item)
    this.queued++
    this.holders.set(who, holder)
    if (!this.waiting.has(who)) this.waiting.set(who, holder)
    return "waiting"
  }

  /** Ends one use. Returns the item that may use the resource instead; its use has begun. */
  leave(who: string): T | undefined {
    const holder = this.holders.get(who)
    if (holder === undefined) return undefined
    holder.using--
    this.using--
    this.forget(who, holder)
    return this.next()
  }

  /** The item no longer waits. Returns false if it does not wait, for example because it was let in. */
  withdraw(who: string, item: T): boolean {
    const holder = this.holders.get(who)
    const index = holder?.queue.indexOf(item) ?? -1
    if (holder === undefined || index < 0) return false
    holder.queue.splice(index, 1)
    this.queued--
    this.forget(who, holder)
    return true
  }

  private next(): T | undefined {
    let found: readonly [string, Holder<T>] | undefined
    for (const [who, holder] of this.waiting) {
      if (holder.using < this.limits.each && (found === undefined || holder.using < found[1].using)) {
        found = [who, holder]
        if (holder.using === 0) break
      }
    }
    if (found === undefined || this.using >= this.limits.total) return undefined
    const [who, holder] = found
    const item = holder.queue.shift()
    this.queued--
    this.admit(who, holder)
    // To the end of the order, if it goes on waiting.
    this.waiting.delete(who)
    if (holder.queue.length > 0) this.waiting.set(who, holder)
    return item
  }

  private admit(who: string, holder: Holder<T>): void {
    holder.using++
    this.using++
    this.holders.set(who, holder)
  }

  private forget(who: string, holder: Holder<T>): void {
    if (holder.queue.length === 0) this.waiting.delete(who)
    if (holder.queue.length === 0 && holder.using === 0) this.holders.delete(who)
  }
}
