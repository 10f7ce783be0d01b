// A quota that the processes of a cluster share: each takes some of it at a time from the shared count, a lease, and
// admits requests from that without asking. Together they exceed the quota by no more than what they hold.
import { type Quota, spanOf, type Verdict } from "../access/Quota.ts"

/** How many requests a process takes at a time. More, if more wait. */
export const leaseOf = ({ burst }: Quota): number => Math.max(1, Math.floor(burst / 25))

/** With so many left, a process asks for more before a request has to wait for it. */
export const renewalAt = (quota: Quota): number => Math.floor(leaseOf(quota) / 2)

/** How long unused requests can be used. */
export const leaseLife_ms = 60_000

/** What the shared count gives. */
export interface Grant {
  /** 0: less than a lease is available. */
  readonly requests: number
  /** Milliseconds until the whole burst is available again. */
  readonly full_in_ms: number
}

/** What a process holds of the quota of one workspace. Times are milliseconds of a clock that never goes back. */
export interface Lease {
  /** How many requests may be admitted without asking. */
  readonly left: number
  readonly lapses_at: number
  /** Until then no more is to be had. */
  readonly empty_until: number
  /** When the whole burst is available again. */
  readonly full_at: number
}

export const noLease: Lease = {
  left: 0,
  lapses_at: Number.NEGATIVE_INFINITY,
  empty_until: Number.NEGATIVE_INFINITY,
  full_at: Number.NEGATIVE_INFINITY
}

export interface Spent {
  /** `ask`: it is not known here whether the request is admitted. */
  readonly outcome: "admit" | "refuse" | "ask"
  readonly lease: Lease
  /** More is to be asked for, so that no request waits for it. */
  readonly renews: boolean
}

const leftOf = (lease: Lease, now: number): number => (now < lease.lapses_at ? lease.left : 0)

/** Spends one request. */
export const spend = (lease: Lease, quota: Quota, now: number): Spent => {
  const held = leftOf(lease, now)
  const isEmpty = now < lease.empty_until
  if (held === 0) return { outcome: isEmpty ? "refuse" : "ask", lease, renews: false }
  const left = held - 1
  return { outcome: "admit", lease: { ...lease, left }, renews: !isEmpty && left <= renewalAt(quota) }
}

/**
 * What is held once the shared count has answered. `waiting`: requests that wait for it. What was granted for requests
 * that have ended meanwhile is dropped, so that no process holds much.
 */
export const settle = (lease: Lease, quota: Quota, grant: Grant, waiting: number, now: number): Lease => {
  const full_at = now + grant.full_in_ms
  if (grant.requests === 0) {
    const { interval_ms, whole_ms } = spanOf(quota)
    const retry_ms = Math.max(grant.full_in_ms + leaseOf(quota) * interval_ms - whole_ms, 1)
    return { ...lease, empty_until: now + retry_ms, full_at }
  }
  const most = waiting + leaseOf(quota) + renewalAt(quota)
  return {
    left: Math.min(leftOf(lease, now) + grant.requests, most),
    lapses_at: now + leaseLife_ms,
    empty_until: Number.NEGATIVE_INFINITY,
    full_at
  }
}

/** What a client is told of the quota. */
export const verdictFrom = ({ outcome, lease }: Spent, quota: Quota, now: number): Verdict => {
  const { interval_ms, whole_ms } = spanOf(quota)
  const reset_ms = Math.min(Math.max(lease.full_at - now, 0), whole_ms)
  const admitted = outcome === "admit"
  const available = lease.left + Math.floor((whole_ms - reset_ms) / interval_ms)
  return {
    admitted,
    full_at: lease.full_at,
    remaining: admitted ? Math.min(available, quota.burst) : 0,
    reset_ms,
    retry_ms: admitted ? 0 : Math.max(lease.empty_until - now, 1)
  }
}
