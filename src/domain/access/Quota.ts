/** How often something may be done: so many at once, and so many each second for ever. */
export interface Quota {
  readonly burst: number
  readonly per_second: number
}

const quarter_hour_s = 900

/**
 * Requests of one API key that read, and those that write; top-ups of a workspace; requests with events of all PBX
 * gateways together; links to sign in that are mailed to one address, and those that are asked for from one; invitations
 * that a workspace mails.
 */
export const quotas = {
  read: { burst: 100, per_second: 20 },
  write: { burst: 50, per_second: 10 },
  topups: { burst: 6, per_second: 6 / 60 },
  pbx_ingest: { burst: 2000, per_second: 2000 },
  sign_in_email: { burst: 5, per_second: 5 / quarter_hour_s },
  sign_in_address: { burst: 20, per_second: 20 / quarter_hour_s },
  invitation: { burst: 100, per_second: 100 / 3_600 }
} as const satisfies Record<string, Quota>
export type QuotaName = keyof typeof quotas

/** Few, and worth a look into the database: one count for all processes, which outlives them. */
export const sharedQuotas: ReadonlySet<QuotaName> = new Set([
  "sign_in_email",
  "sign_in_address",
  "topups",
  "invitation"
])

export interface Verdict {
  readonly admitted: boolean
  /** When the whole burst will be there again: all that is to be remembered. Epoch milliseconds. */
  readonly full_at: number
  /** How many more would be admitted now. */
  readonly remaining: number
  /** Until the whole burst is there again. */
  readonly reset_ms: number
  /** Until one would be admitted where this one was not, else 0. */
  readonly retry_ms: number
}

/** What one takes, and all of it, in milliseconds. */
export const spanOf = ({ burst, per_second }: Quota) => {
  const interval_ms = 1000 / per_second
  return { interval_ms, whole_ms: burst * interval_ms }
}

/** What is to be told of a bucket after it was asked. */
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
 * A token bucket as one number, `full_at`: the generic cell rate algorithm (ITU-T I.371). 0 is a bucket never used.
 * What is refused takes nothing. A clock that was set back costs no one more than the burst.
 */
export const take = (quota: Quota, full_at: number, now: number): Verdict => {
  const { interval_ms, whole_ms } = spanOf(quota)
  const missing_ms = Math.min(Math.max(full_at - now, 0), whole_ms)
  const admitted = missing_ms + interval_ms <= whole_ms
  return verdictOf(quota, { admitted, full_at: now + (admitted ? missing_ms + interval_ms : missing_ms) }, now)
}
