// A token bucket for what cannot be refused, only delayed: a message that was read may overdraw it, and then nothing
// more is read until the debt is paid.
import { type Quota, spanOf } from "../access/Quota.ts"

/** The same rate for `factor` times as many. */
export const scaled = ({ burst, per_second }: Quota, factor: number): Quota => ({
  burst: burst * factor,
  per_second: per_second * factor
})

/** Like `take` in Quota.ts, it is the instant at which the whole burst is available again. */
export class Allowance {
  private readonly interval_ms: number
  private readonly whole_ms: number
  private full_at = Number.NEGATIVE_INFINITY

  constructor(quota: Quota) {
    const { interval_ms, whole_ms } = spanOf(quota)
    this.interval_ms = interval_ms
    this.whole_ms = whole_ms
  }

  /** `now`: milliseconds of a clock that never goes back. */
  spend(amount: number, now: number): void {
    this.full_at = Math.max(this.full_at, now) + amount * this.interval_ms
  }

  /** Whether nothing more may be spent now. */
  isSpent(now: number): boolean {
    return this.full_at - now >= this.whole_ms
  }

  /** Whether it is as if nothing had ever been spent. */
  isFull(now: number): boolean {
    return this.full_at <= now
  }
}

/** From so many holders on, those that have used nothing lately are forgotten. */
const rememberedMax = 1_000

/** The allowances of many holders, all of the same quota. */
export class AllowanceOfEach {
  private readonly quota: Quota
  private readonly all = new Map<string, Allowance>()

  constructor(quota: Quota) {
    this.quota = quota
  }

  spend(who: string, amount: number, now: number): void {
    const allowance = this.all.get(who) ?? this.remember(who, now)
    allowance.spend(amount, now)
  }

  isSpent(who: string, now: number): boolean {
    return this.all.get(who)?.isSpent(now) ?? false
  }

  private remember(who: string, now: number): Allowance {
    if (this.all.size >= rememberedMax)
      for (const [each, allowance] of this.all) if (allowance.isFull(now)) this.all.delete(each)
    const allowance = new Allowance(this.quota)
    this.all.set(who, allowance)
    return allowance
  }
}
