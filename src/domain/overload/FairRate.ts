// Decides how many requests are admitted while the engine is behind, and divides them among the workspaces.

/** Above the target, the rate becomes this share of what the engine completes, so that the queue gets shorter. */
const lower = 0.9
/** The rate falls to this share of itself at most: what is completed follows a rate that has just risen only later. */
const fall = 0.7
const raise_per_second = 3
/** While a queue is left, this share of the rate is admitted; the second one if the pressure is far too high. */
const drain = 0.8
const drainFar = 0.3
const far = 4
/** The lowest rate, in requests a second. At 0 nothing would be completed, and the rate could not be raised again. */
const least = 5
/** A lower rate shows its effect only when the queue has been worked off: after this, or twice the present wait. */
const settle_ms = 150
/** The pressure is averaged over this time, because a single pause says little. */
const smooth_ms = 250
/** The completed requests are averaged over this time. */
const memory_ms = 500
/** A workspace may use what it has not used for this time at once, because requests come in bursts. */
const burst_ms = 50
/** So many workspaces have a bucket of their own. The others have one together. */
const max_remembered = 10_000
const others = ""

/** The requests that a workspace may make at once. The bucket fills at the rate of an equal share. */
interface Bucket {
  tokens: number
  filled_at: number
  /** Requests since the last look. */
  asked: number
}

/**
 * The most that each may have, so that the demands that are smaller are met, and the larger ones are equal: max-min
 * fairness. Infinite if all can be met.
 */
export const fairLevel = (demands: Iterable<number>, budget: number): number => {
  const ascending = [...demands].sort((a, b) => a - b)
  let left = budget
  for (const [index, demand] of ascending.entries()) {
    const share = left / (ascending.length - index)
    if (demand > share) return share
    left -= demand
  }
  return Number.POSITIVE_INFINITY
}

/** What a look at the signals has found. */
export interface Look {
  /** Epoch milliseconds. */
  readonly now: number
  /** The pressure as a share of the target. */
  readonly load: number
  /** How long a request waits. */
  readonly wait_ms: number
}

/**
 * Admits requests at the rate that the engine can carry. While the pressure is above the target, more waits than can be
 * done, and so what is done shows what the engine can do: the rate falls below that. Otherwise it rises. Within the
 * rate all workspaces have equal shares, and what one does not use goes to the others. Nothing is limited until
 * `engage`.
 */
export class FairRate {
  private readonly most_in_work: number
  /** Requests in work, altogether and of each workspace. */
  private working = 0
  private readonly workers = new Map<string, number>()
  /** The estimate of what the engine can complete in a second. Undefined while nothing is limited. */
  private capacity: number | undefined
  /** How many are admitted in a second. */
  private rate = 0
  /** How many were completed in a second, on average. */
  private carried = 0
  private smooth = 0
  private load = 0
  private lookedAt: number | undefined
  private loweredAt = Number.NEGATIVE_INFINITY
  /** How many of one workspace may be admitted in a second. */
  private share = 0
  private readonly buckets = new Map<string, Bucket>()
  private done = 0
  private refusals = 0

  /**
   * `most_in_work`: so many may be in work. This limit holds at once, while the rate needs some looks: without it, a
   * load that begins suddenly would be taken for as long as that, and everybody would wait for it.
   */
  constructor(most_in_work: number) {
    this.most_in_work = most_in_work
  }

  /** The rate, or undefined while nothing is limited. */
  get perSecond(): number | undefined {
    return this.capacity === undefined ? undefined : this.rate
  }

  /** Whether anybody was refused since the last look. */
  get hasRefused(): boolean {
    return this.refusals > 0
  }

  /** Whether one more request of the workspace would be refused. Counts it as demand if so. */
  refuses(who: string, now: number): boolean {
    const tooMany = this.hasTooMany(who)
    if (this.capacity === undefined) return tooMany
    const bucket = this.bucketOf(who, now)
    if (bucket.tokens >= 1 && !tooMany) return false
    bucket.asked++
    this.refusals++
    return true
  }

  /** Whether some are refused because so many are in work. */
  get isFull(): boolean {
    return this.working >= this.most_in_work
  }

  /** Takes one request of the workspace. */
  admit(who: string, now: number): void {
    this.working++
    this.workers.set(who, (this.workers.get(who) ?? 0) + 1)
    if (this.capacity === undefined) return
    const bucket = this.bucketOf(who, now)
    bucket.tokens--
    bucket.asked++
  }

  /** Ends one that was taken. */
  finish(who: string): void {
    this.done++
    this.working--
    const left = (this.workers.get(who) ?? 1) - 1
    if (left > 0) this.workers.set(who, left)
    else this.workers.delete(who)
  }

  /** Limits from now on, to what is being done. */
  engage(): void {
    if (this.capacity !== undefined) return
    this.capacity = Math.max(least, this.carried)
    this.rate = this.capacity
    this.share = this.rate
  }

  release(): void {
    this.capacity = undefined
    this.buckets.clear()
  }

  /** Sets the rate and the shares until the next look. */
  look({ load, now, wait_ms }: Look): void {
    const elapsed_ms = now - (this.lookedAt ?? now)
    this.lookedAt = now
    if (elapsed_ms <= 0) return
    this.carried += ((this.done * 1_000) / elapsed_ms - this.carried) * Math.min(1, elapsed_ms / memory_ms)
    this.smooth += (load - this.smooth) * Math.min(1, elapsed_ms / smooth_ms)
    // A single pause, which is over, and a single calm look say nothing.
    this.load = Math.min(load, this.smooth)
    if (this.capacity !== undefined) {
      this.capacity = this.follow(this.capacity, now, { elapsed_ms, wait_ms })
      this.rate = Math.max(least, this.capacity * (this.load <= 1 ? 1 : this.load > far ? drainFar : drain))
      this.divide(this.rate, now, elapsed_ms)
    }
    this.done = 0
    this.refusals = 0
  }

  /** First to those that have at least an equal share of what is in work, and to all when it is twice as much. */
  private hasTooMany(who: string): boolean {
    if (!this.isFull) return false
    const mine = this.workers.get(who) ?? 0
    return mine * this.workers.size >= this.working || this.working >= 2 * this.most_in_work
  }

  private follow(
    capacity: number,
    now: number,
    { elapsed_ms, wait_ms }: { readonly elapsed_ms: number; readonly wait_ms: number }
  ): number {
    if (this.load <= 1) return this.refusals > 0 ? capacity * raise_per_second ** (elapsed_ms / 1_000) : capacity
    if (now - this.loweredAt < Math.max(settle_ms, 2 * elapsed_ms, 2 * wait_ms)) return capacity
    this.loweredAt = now
    return Math.max(least, lower * Math.max(this.carried, fall * capacity))
  }

  private divide(rate: number, now: number, elapsed_ms: number): void {
    const demands: Array<number> = []
    for (const [who, bucket] of this.buckets) {
      this.fill(bucket, now)
      // One that asks for nothing and has all that it may have is like one that was never seen.
      if (bucket.asked === 0 && bucket.tokens >= this.most()) this.buckets.delete(who)
      else if (bucket.asked > 0) demands.push((bucket.asked * 1_000) / elapsed_ms)
      bucket.asked = 0
    }
    this.share = Math.min(rate, fairLevel(demands, rate))
  }

  private bucketOf(who: string, now: number): Bucket {
    const key = this.buckets.size >= max_remembered && !this.buckets.has(who) ? others : who
    const found = this.buckets.get(key) ?? { tokens: this.most(), filled_at: now, asked: 0 }
    this.buckets.set(key, found)
    this.fill(found, now)
    return found
  }

  private most(): number {
    return Math.max(1, (this.share * burst_ms) / 1_000)
  }

  private fill(bucket: Bucket, now: number): void {
    const more = (this.share * Math.max(0, now - bucket.filled_at)) / 1_000
    bucket.tokens = Math.min(this.most(), bucket.tokens + more)
    bucket.filled_at = now
  }
}
