// The life of a number (docs/numbers.md). What a status does not list cannot happen in it.

export type NumberStatus = "available" | "active" | "past_due" | "suspended" | "released" | "retired" | "removed"

export type NumberTrigger =
  /** A workspace claims it and has paid. */
  | "claim"
  /** A workspace brings it over its own trunk, or takes it away again. */
  | "register"
  | "remove"
  /** Its rental was paid, or could not be. */
  | "paid"
  | "unpaid"
  /** It has been past due, suspended or released for as long as it may be; of the first two an attempt to pay finds out. */
  | "grace_over"
  | "suspension_over"
  | "quarantine_over"
  /** Its workspace gives it back. */
  | "release"
  /** The platform gives it to another workspace, or takes it out of use. */
  | "reassign"
  | "retire"

export const transitions: Readonly<Record<NumberStatus, Partial<Record<NumberTrigger, NumberStatus>>>> = {
  available: { claim: "active", retire: "retired" },
  active: { paid: "active", unpaid: "past_due", release: "released", reassign: "active", remove: "removed" },
  past_due: { paid: "active", unpaid: "past_due", grace_over: "suspended", release: "released", reassign: "active" },
  suspended: {
    paid: "active",
    unpaid: "suspended",
    suspension_over: "released",
    release: "released",
    reassign: "active"
  },
  released: { quarantine_over: "available", retire: "retired" },
  retired: {},
  removed: { register: "active" }
}

const day_ms = 86_400_000

/** How long a number works unpaid, rests suspended, and is kept from others after its release. */
export const grace_ms = 7 * day_ms
export const suspension_ms = 30 * day_ms
export const quarantine_ms = 30 * day_ms
/** An unpaid rental is tried again so often. */
export const retry_ms = day_ms

/** Whether calls reach the number and may be placed from it. */
export const isWorking = ({ status }: { readonly status: string }): boolean =>
  status === "active" || status === "past_due"

/** Whether a workspace has the number. */
export const isAssigned = (status: NumberStatus): boolean =>
  status === "active" || status === "past_due" || status === "suspended"

/**
 * The first instant after `after` that begins the day of a month, 1 to 31, in UTC; the last day of a month that is too
 * short for it. Epoch milliseconds.
 */
export const anniversary = (day: number, after: number): number => {
  const from = new Date(after)
  const inMonth = (offset: number): number => {
    const [year, month] = [from.getUTCFullYear(), from.getUTCMonth() + offset]
    const last = new Date(Date.UTC(year, month + 1, 0)).getUTCDate()
    return Date.UTC(year, month, Math.min(day, last))
  }
  return inMonth(0) > after ? inMonth(0) : inMonth(1)
}

export const dayOfMonth = (at: number): number => new Date(at).getUTCDate()
