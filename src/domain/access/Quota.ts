/** A rate limit: a burst, and a sustained rate per second. */
export interface Quota {
  readonly burst: number
  readonly per_second: number
}

const quarter_hour_s = 900
const day_s = 86_400

/**
 * `read` and `write`: requests of one API key or session. `workspace_read` and `workspace_write`: those of a
 * workspace altogether, so that more keys are not more than five times as much. `topups`: of one workspace.
 * `pbx_ingest`: requests with PBX events, of all gateways together. `sign_in_email`: links mailed to one address.
 * `wrong_credentials`: API keys, SIP tokens and session cookies from one IP address that are not valid: beyond it
 * none is looked at that this process does not know. `sign_in_address`: links requested from one IP address.
 * `invitation`: invitations that one workspace mails. `code_calls`: calls to one number that speak a code.
 * `sandbox_calls`: calls that the sandboxes of one person place.
 */
export const quotas = {
  read: { burst: 100, per_second: 20 },
  write: { burst: 50, per_second: 10 },
  workspace_read: { burst: 500, per_second: 100 },
  workspace_write: { burst: 250, per_second: 50 },
  topups: { burst: 6, per_second: 6 / 60 },
  pbx_ingest: { burst: 2000, per_second: 2000 },
  wrong_credentials: { burst: 300, per_second: 5 },
  sign_in_email: { burst: 5, per_second: 5 / quarter_hour_s },
  sign_in_address: { burst: 20, per_second: 20 / quarter_hour_s },
  code_calls: { burst: 5, per_second: 5 / day_s },
  invitation: { burst: 100, per_second: 100 / 3_600 },
  sandbox_calls: { burst: 1_000, per_second: 1_000 / day_s }
} as const satisfies Record<string, Quota>
export type QuotaName = keyof typeof quotas

/** Counted in the database, for all processes together. They are rare enough for that. */
export const sharedQuotas: ReadonlySet<QuotaName> = new Set([
  "sign_in_email",
  "sign_in_address",
  "topups",
  "code_calls",
  "invitation",
  "sandbox_calls"
])

export interface Verdict {
  readonly admitted: boolean
  /** When the whole burst is available again, epoch milliseconds. This is the whole state of a bucket. */
  readonly full_at: number
  /** How many more requests would be admitted now. */
  readonly remaining: number
  /** Milliseconds until the whole burst is available again. */
  readonly reset_ms: number
  /** Milliseconds until a refused request would be admitted; 0 if it was admitted. */
  readonly retry_ms: number
}

/** How long one request and the whole burst take to refill, in milliseconds. */
export const spanOf = ({ burst, per_second }: Quota) => {
  const interval_ms = 1000 / per_second
  return { interval_ms, whole_ms: burst * interval_ms }
}

/** The verdict from the state of a bucket at `now`. */
export const verdictOf = (
  quota: Quota,
  { admitted, full_at }: Pick<Verdict, "admitted" | "full_at">,
  now: number
): Verdict => {
  const { interval_ms, whole_ms } = spanOf(quota)
  const reset_ms = full_at - now
  return {
    admitted,
    full_at,
    remaining: Math.floor((whole_ms - reset_ms) / interval_ms),
    reset_ms,
    retry_ms: admitted ? 0 : reset_ms + interval_ms - whole_ms
  }
}

/**
 * A token bucket as one number, `full_at`: the generic cell rate algorithm (ITU-T I.371). 0 is an unused bucket.
 * A refused request takes nothing. A clock that was set back costs at most the burst.
 */
export const take = (quota: Quota, full_at: number, now: number): Verdict => {
  const { interval_ms, whole_ms } = spanOf(quota)
  const missing_ms = Math.min(Math.max(full_at - now, 0), whole_ms)
  const admitted = missing_ms + interval_ms <= whole_ms
  return verdictOf(quota, { admitted, full_at: now + (admitted ? missing_ms + interval_ms : missing_ms) }, now)
}

/** The state of a bucket to which one request is given back that `take` admitted. */
export const giveBack = (quota: Quota, full_at: number): number => full_at - spanOf(quota).interval_ms
