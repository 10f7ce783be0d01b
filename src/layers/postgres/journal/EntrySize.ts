// How much an entry of the journal adds to a batch, in characters.
import type { AuditRow, CallTrailRow, DeliveryRow, Entry, LedgerEntryRow } from "../../../domain/journal/Rows.ts"

/** What the members of a row without texts take, roughly. */
const row = 128

/** Accepts values of a wrong type too: they are refused alone when they are sent. */
const lengthOf = (text: string | null | undefined): number => String(text ?? "").length

const ofTrail = ({ detail }: CallTrailRow): number => row + lengthOf(detail)
const ofDelivery = ({ attempt_log, last_error }: DeliveryRow): number =>
  row + lengthOf(attempt_log) + lengthOf(last_error)
const ofAudit = ({ actor, after, before, user_agent }: AuditRow): number =>
  row + lengthOf(actor) + lengthOf(before) + lengthOf(after) + lengthOf(user_agent)
const ofLedger = ({ actor, description, lines, metadata }: LedgerEntryRow): number =>
  row * (1 + lines.length) + lengthOf(actor) + lengthOf(description) + lengthOf(metadata)

const sum = <A>(rows: ReadonlyArray<A> | undefined, of: (row: A) => number): number => {
  let characters = 0
  if (rows !== undefined) for (const each of rows) characters += of(each)
  return characters
}

/** All rows of the entry, with their texts. */
export const charactersOf = (entry: Entry): number =>
  lengthOf(entry.snapshot?.state) +
  lengthOf(entry.idempotency?.body) +
  sum(entry.events, ({ payload }) => lengthOf(payload)) +
  sum(entry.trail, ofTrail) +
  sum(entry.deliveries, ofDelivery) +
  sum(entry.ledger, ofLedger) +
  sum(entry.audit, ofAudit) +
  row * ((entry.holds?.length ?? 0) + (entry.redeliveries?.length ?? 0))
