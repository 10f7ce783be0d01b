// When to read the provider's list of payments, which shows payments that were never announced: every ten minutes, and
// sooner while a top-up waits for its receipt. Providers of cards list what has changed instead.
import { Result, Schema } from "effect"
import { commandsOf, decideBy, type Message, type Rules } from "../Command.ts"
import { EpochMs, optional, orNull } from "../kit/Fields.ts"
import { storedState } from "../state/StoredState.ts"
import { task, type Work } from "../Decision.ts"

/** How far back each reading of the list goes, and the first reading of changes. */
export const readingWindow_ms = 48 * 3_600_000
const readingInterval_ms = 600_000
/** The shortest time between two readings. */
const shortestInterval_ms = 30_000

/** How far back the changes are read at most: Stripe keeps them for 30 days. */
const changesWindow_ms = 30 * 24 * 3_600_000
/** Changes are read again for so long: the provider may list them late, and its clock may be behind. */
const changesOverlap_ms = 900_000

/** From when on the changes are read. */
export const changesFrom = ({ read_until }: Reconciliation, now: number): number =>
  read_until === undefined ? now - readingWindow_ms : Math.max(read_until - changesOverlap_ms, now - changesWindow_ms)

const Reconciliation = Schema.Struct({
  /** Null until the first `Begin`. */
  next_at: orNull(EpochMs),
  /** Null until the first reading. */
  last_at: orNull(EpochMs),
  /** Up to when the changes were read. Absent before the first reading, and where payments are listed. */
  read_until: optional(EpochMs)
})
export type Reconciliation = typeof Reconciliation.Type

export const reconciliationState = storedState({ schema: Reconciliation, upgrades: [] })

export const restoreReconciliation = reconciliationState.restore((stored): Reconciliation => stored)

export const ReconciliationCommands = commandsOf("Reconciliation", {
  Begin: {},
  /** A payment is missing: the next reading is due as soon as possible. */
  Hurry: {},
  /** The list was read, or could not be read. `read_until`: up to when the changes were read. */
  Read: { payload: { read_until: Reconciliation.fields.read_until } }
})
export type ReconciliationCommands = typeof ReconciliationCommands

export interface ReconciliationEvent extends Reconciliation {
  readonly _tag: "Scheduled"
  readonly next_at: number
}

export interface ReadPayments {
  readonly _tag: "ReadPayments"
}

export const initialReconciliation = (): Reconciliation => ({ next_at: null, last_at: null })

const schedule = (
  state: Reconciliation,
  next_at: number,
  last_at: number | null,
  read_until: number | undefined = state.read_until
) =>
  Result.succeed<{ readonly events: ReadonlyArray<ReconciliationEvent>; readonly reply: void }>({
    events:
      next_at === state.next_at && read_until === state.read_until
        ? []
        : [{ _tag: "Scheduled", next_at, last_at, ...(read_until !== undefined && { read_until }) }],
    reply: undefined
  })

const rules: Rules<Reconciliation, ReconciliationCommands, ReconciliationEvent> = {
  Begin: (state, _command, now) => schedule(state, state.next_at ?? now, state.last_at),
  Hurry: (state, _command, now) => {
    const earliest = Math.max(now, (state.last_at ?? -Infinity) + shortestInterval_ms)
    return schedule(state, Math.min(state.next_at ?? Infinity, earliest), state.last_at)
  },
  Read: (state, { read_until }, now) => schedule(state, now + readingInterval_ms, now, read_until)
}

export const decideReconciliation = decideBy<Reconciliation, ReconciliationCommands, ReconciliationEvent>(() => rules)

export const evolveReconciliation = (_: Reconciliation, { _tag, ...scheduled }: ReconciliationEvent): Reconciliation =>
  scheduled

export const planReconciliation = ({
  next_at
}: Reconciliation): ReadonlyArray<Work<Message<ReconciliationCommands>, ReadPayments>> =>
  next_at === null ? [] : [task(`read:${next_at}`, { _tag: "ReadPayments" }, next_at)]
