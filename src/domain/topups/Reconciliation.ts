// When to read the provider's list of payments, which shows payments that were never announced: every ten minutes, and
// sooner while a top-up waits for its receipt.
import { Result } from "effect"
import { commandsOf, decideBy, type Message, type Rules } from "../Command.ts"
import { task, type Work } from "../Decision.ts"

/** How far back each reading of the list goes. */
export const readingWindow_ms = 48 * 3_600_000
const readingInterval_ms = 600_000
/** The shortest time between two readings. */
const shortestInterval_ms = 30_000

export interface Reconciliation {
  /** Null until the first `Begin`. */
  readonly next_at: number | null
  /** Null until the first reading. */
  readonly last_at: number | null
}

export const ReconciliationCommands = commandsOf("Reconciliation", {
  Begin: {},
  /** A payment is missing: the next reading is due as soon as possible. */
  Hurry: {},
  /** The list was read. */
  Read: {}
})
export type ReconciliationCommands = typeof ReconciliationCommands

export interface ReconciliationEvent {
  readonly _tag: "Scheduled"
  readonly next_at: number
  readonly last_at: number | null
}

export interface ReadPayments {
  readonly _tag: "ReadPayments"
}

export const initialReconciliation = (): Reconciliation => ({ next_at: null, last_at: null })

const schedule = (state: Reconciliation, next_at: number, last_at: number | null) =>
  Result.succeed<{ readonly events: ReadonlyArray<ReconciliationEvent>; readonly reply: void }>({
    events: next_at === state.next_at ? [] : [{ _tag: "Scheduled", next_at, last_at }],
    reply: undefined
  })

const rules: Rules<Reconciliation, ReconciliationCommands, ReconciliationEvent> = {
  Begin: (state, _command, now) => schedule(state, state.next_at ?? now, state.last_at),
  Hurry: (state, _command, now) => {
    const earliest = Math.max(now, (state.last_at ?? -Infinity) + shortestInterval_ms)
    return schedule(state, Math.min(state.next_at ?? Infinity, earliest), state.last_at)
  },
  Read: (state, _command, now) => schedule(state, now + readingInterval_ms, now)
}

export const decideReconciliation = decideBy<Reconciliation, ReconciliationCommands, ReconciliationEvent>(() => rules)

export const evolveReconciliation = (_: Reconciliation, { last_at, next_at }: ReconciliationEvent): Reconciliation => ({
  next_at,
  last_at
})

export const planReconciliation = ({
  next_at
}: Reconciliation): ReadonlyArray<Work<Message<ReconciliationCommands>, ReadPayments>> =>
  next_at === null ? [] : [task(`read:${next_at}`, { _tag: "ReadPayments" }, next_at)]
