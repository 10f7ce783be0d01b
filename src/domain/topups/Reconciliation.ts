// When the provider's list of payments is read, for what was never announced: every ten minutes, and sooner where a
// top-up waits for its receipt.
import { Result, Schema } from "effect"
import { type Decided, task, type Work } from "../Decision.ts"
import { tagged } from "../Tagged.ts"

/** How far back the list is read each time. */
export const window_ms = 48 * 3_600_000
const every_ms = 600_000
/** Not more often, whoever asks. */
const at_least_ms = 30_000

export interface Reconciliation {
  /** Null until it is begun. */
  readonly next_at: number | null
  readonly last_at: number | null
}

export const ReconciliationCommand = Schema.Union([
  tagged("Begin", {}),
  /** A payment is missed. */
  tagged("Hurry", {}),
  tagged("Read", {})
])
export type ReconciliationCommand = typeof ReconciliationCommand.Type

export const ReconciliationReply = tagged("Noted", {})
export type ReconciliationReply = typeof ReconciliationReply.Type

export interface ReconciliationEvent {
  readonly _tag: "Scheduled"
  readonly next_at: number
  readonly last_at: number | null
}

export interface ReadPayments {
  readonly _tag: "ReadPayments"
}

export const initialReconciliation = (): Reconciliation => ({ next_at: null, last_at: null })

export const decideReconciliation = (
  { last_at, next_at }: Reconciliation,
  command: ReconciliationCommand,
  now: number
): Decided<ReconciliationEvent, ReconciliationReply> => {
  const scheduled = (at: number, last: number | null): Decided<ReconciliationEvent, ReconciliationReply> =>
    Result.succeed({
      events: at === next_at ? [] : [{ _tag: "Scheduled", next_at: at, last_at: last }],
      reply: { _tag: "Noted" }
    })
  switch (command._tag) {
    case "Begin":
      return scheduled(next_at ?? now, last_at)
    case "Hurry":
      return scheduled(Math.min(next_at ?? Infinity, Math.max(now, (last_at ?? -Infinity) + at_least_ms)), last_at)
    case "Read":
      return scheduled(now + every_ms, now)
  }
}

export const evolveReconciliation = (_: Reconciliation, { last_at, next_at }: ReconciliationEvent): Reconciliation => ({
  next_at,
  last_at
})

export const planReconciliation = ({
  next_at
}: Reconciliation): ReadonlyArray<Work<ReconciliationCommand, ReadPayments>> =>
  next_at === null ? [] : [task(`read:${next_at}`, { _tag: "ReadPayments" }, next_at)]
