// The rule by which the database grants leases, in plain arithmetic.
import { type Quota, spanOf } from "../../src/domain/access/Quota.ts"
import { type Grant, leaseOf } from "../../src/domain/limits/Leases.ts"

/** A count that processes share. */
export class LeaseModel {
  private readonly quota: Quota
  private full_at = 0

  constructor(quota: Quota) {
    this.quota = quota
  }

  /** `now`: milliseconds of any clock. */
  lease(wanted: number, now: number): Grant {
    const { interval_ms, whole_ms } = spanOf(this.quota)
    const missing = Math.min(Math.max(this.full_at - now, 0), whole_ms)
    const available = Math.floor((whole_ms - missing) / interval_ms)
    const requests = available >= leaseOf(this.quota) ? Math.min(wanted, available) : 0
    this.full_at = now + missing + requests * interval_ms
    return { requests, full_in_ms: this.full_at - now }
  }
}
