// The states of a number and its transitions (docs/numbers.md). A trigger that a status does not list is not allowed.
import { Schema } from "effect"

export const NumberStatus = Schema.Literals([
  "available",
  "active",
  "past_due",
  "suspended",
  "released",
  "retired",
  "removed"
])
export type NumberStatus = typeof NumberStatus.Type

export type NumberTrigger =
  /** A workspace has claimed the number and paid. */
  | "claim"
  /** A workspace registers its own number, or removes it. */
  | "register"
  | "remove"
  /** The rental was paid, or could not be paid. */
  | "paid"
  | "unpaid"
  /** The time in `past_due`, `suspended` or `released` is over. The first two follow a failed attempt to pay. */
  | "grace_over"
  | "suspension_over"
  | "quarantine_over"
  /** The workspace gives the number back. */
  | "release"
  /** An operator gives the number to another workspace, or takes it out of use. */
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

/**
 * How long an unpaid number keeps working, how long it stays suspended, and how long nobody can claim it after a
 * release.
 */
export const grace_ms = 7 * day_ms
export const suspension_ms = 30 * day_ms
export const quarantine_ms = 30 * day_ms
/** Interval between attempts to pay an unpaid rental. */
export const retry_ms = day_ms

/** Whether calls reach the number and may be placed from it. */
export const isWorking = ({ status }: { readonly status: string }): boolean =>
  status === "active" || status === "past_due"

/** Whether a workspace has the number. */
export const isAssigned = (status: NumberStatus): boolean =>
  status === "active" || status === "past_due" || status === "suspended"

/**
 * The first midnight after `after`, in UTC, on the given day of a month (1 to 31), or on the last day of a shorter
 * month. Epoch milliseconds.
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

/** In UTC, from 1. */
export const dayOfMonth = (at: number): number => new Date(at).getUTCDate()
