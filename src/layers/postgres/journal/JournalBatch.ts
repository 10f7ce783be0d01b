// Turns entries into the rows of a batch. If several entries write the same row, the last one counts.
import type {
  Alarm,
  AuditRow,
  CallTrailRow,
  DeliveryRow,
  Entry,
  EventRow,
  HoldRow,
  IdempotencyRow,
  LedgerEntryRow,
  RedeliveryRow
} from "../../../domain/journal/Rows.ts"
import { type SnapshotTable, type SnapshotWrite, subscriptionType, tableOf } from "./JournalTables.ts"

export interface LedgerLine {
  readonly entry_id: string
  readonly account: string
  readonly amount_minor: number
}

export interface NeededHold {
  readonly id: string
}

export interface WrittenHold extends HoldRow {
  /** Its call is stored by the same batch. */
  readonly used: boolean
}

export interface Batch {
  /** By table; a table without rows is absent. */
  readonly inserted: ReadonlyMap<SnapshotTable, ReadonlyArray<SnapshotWrite>>
  readonly updated: ReadonlyMap<SnapshotTable, ReadonlyArray<SnapshotWrite>>
  /** Alarms of subscriptions are separate, because the fan-out of the same batch may set the same ones. */
  readonly alarms: ReadonlyArray<Alarm>
  readonly subscription_alarms: ReadonlyArray<Alarm>
  readonly cleared: ReadonlyArray<Entry>
  readonly events: ReadonlyArray<EventRow>
  readonly fan_out: ReadonlyArray<EventRow>
  readonly trail: ReadonlyArray<CallTrailRow>
  readonly holds: ReadonlyArray<WrittenHold>
  /** Holds whose calls do not exist, as far as the wallet knows. */
  readonly unused_holds: ReadonlyArray<HoldRow>
  /** Holds of earlier batches whose calls are stored now. */
  readonly needed_holds: ReadonlyArray<NeededHold>
  readonly ledger: ReadonlyArray<LedgerEntryRow>
  readonly lines: ReadonlyArray<LedgerLine>
  readonly deliveries: ReadonlyArray<DeliveryRow>
  readonly redeliveries: ReadonlyArray<RedeliveryRow>
  readonly idempotency: ReadonlyArray<IdempotencyRow>
  readonly audit: ReadonlyArray<AuditRow>
}

export const actorKey = (entry: Entry): string => `${entry.actor_type}/${entry.actor_id}`

interface Latest {
  readonly fence: number
  readonly entry: Entry
  readonly snapshot: NonNullable<Entry["snapshot"]>
}

/** A version that no row has. Replacing it fails, and the entries are then written one by one. */
const gap = -1

/** The stored version that the actor's entries in this batch replace; `gap` if their versions are not consecutive. */
const fenceOf = (before: Latest | undefined, version: number): number =>
  before === undefined ? version - 1 : version === before.snapshot.version + 1 ? before.fence : gap

const snapshotWrites = (entries: ReadonlyArray<Entry>) => {
  const latest = new Map<string, Latest>()
  for (const entry of entries) {
    const { snapshot } = entry
    if (snapshot === undefined) continue
    const key = actorKey(entry)
    latest.set(key, { fence: fenceOf(latest.get(key), snapshot.version), entry, snapshot })
  }
  const writes = [...latest.values()].map(
    ({
      entry: { actor_id, actor_type, workspace_id },
      fence,
      snapshot: { columns, state, version }
    }): SnapshotWrite => ({
      actor_type,
      actor_id,
      workspace_id,
      fence,
      version,
      state,
      columns
    })
  )
  const byTable = (rows: ReadonlyArray<SnapshotWrite>) => Map.groupBy(rows, ({ actor_type }) => tableOf(actor_type))
  return {
    inserted: byTable(writes.filter(({ fence }) => fence === 0)),
    updated: byTable(writes.filter(({ fence }) => fence !== 0))
  }
}

const alarmWrites = (entries: ReadonlyArray<Entry>) => {
  const latest = new Map<string, Entry>()
  for (const entry of entries) if (entry.alarm !== undefined) latest.set(actorKey(entry), entry)
  const alarms: Array<Alarm> = []
  const subscription_alarms: Array<Alarm> = []
  const cleared: Array<Entry> = []
  for (const entry of latest.values()) {
    const { actor_id, actor_type, alarm } = entry
    if (typeof alarm !== "number") cleared.push(entry)
    else (actor_type === subscriptionType ? subscription_alarms : alarms).push({ actor_type, actor_id, due_at: alarm })
  }
  return { alarms, subscription_alarms, cleared }
}

const lastById = <Row extends { readonly id: string }>(rows: ReadonlyArray<Row>): ReadonlyArray<Row> =>
  rows.length < 2 ? rows : [...new Map(rows.map((row) => [row.id, row])).values()]

/** Entries of one actor must be in the order of their versions. */
export const toBatch = (entries: ReadonlyArray<Entry>): Batch => {
  const events: Array<EventRow> = []
  const trail: Array<CallTrailRow> = []
  const holds: Array<HoldRow> = []
  const needed_holds: Array<NeededHold> = []
  const ledger: Array<LedgerEntryRow> = []
  const deliveries: Array<DeliveryRow> = []
  const redeliveries: Array<RedeliveryRow> = []
  const idempotency: Array<IdempotencyRow> = []
  const audit: Array<AuditRow> = []
  for (const entry of entries) {
    if (entry.events !== undefined) events.push(...entry.events)
    if (entry.trail !== undefined) trail.push(...entry.trail)
    if (entry.holds !== undefined) holds.push(...entry.holds)
    if (entry.needs_hold !== undefined) needed_holds.push({ id: entry.needs_hold })
    if (entry.ledger !== undefined) ledger.push(...entry.ledger)
    if (entry.deliveries !== undefined) deliveries.push(...entry.deliveries)
    if (entry.redeliveries !== undefined) redeliveries.push(...entry.redeliveries)
    if (entry.idempotency !== undefined) idempotency.push(entry.idempotency)
    if (entry.audit !== undefined) audit.push(...entry.audit)
  }
  const lastHolds = lastById(holds)
  const opened = new Set(lastHolds.flatMap(({ id, status }) => (status === "open" ? [id] : [])))
  const used = new Set(needed_holds.flatMap(({ id }) => (opened.has(id) ? [id] : [])))
  return {
    ...snapshotWrites(entries),
    ...alarmWrites(entries),
    events,
    fan_out: events.filter((event) => event.fan_out),
    trail,
    holds: lastHolds.flatMap((row) => (row.unused === undefined ? [{ ...row, used: used.has(row.id) }] : [])),
    unused_holds: lastHolds.filter(({ unused }) => unused === true),
    needed_holds: needed_holds.filter(({ id }) => !used.has(id)),
    ledger,
    lines: ledger.flatMap(({ id, lines }) => lines.map((line) => ({ entry_id: id, ...line }))),
    deliveries: lastById(deliveries),
    redeliveries,
    idempotency,
    audit
  }
}
