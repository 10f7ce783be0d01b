// What a journal in memory has stored: the tables of PostgreSQL as maps, with the constraints that the engine relies
// on.
import { createHash } from "node:crypto"
import type {
  Alarm,
  AuditRow,
  CallTrailRow,
  Column,
  DeliveryRow,
  Entry,
  EventRow,
  HoldRow,
  IdempotencyRow,
  LedgerEntryRow,
  Stored
} from "../../domain/journal/Rows.ts"
import type { NotCommitted } from "../../domain/errors/NotCommitted.ts"
import { type SubscriptionId, toSubscriptionId, toWorkspaceId, type WorkspaceId } from "../../domain/BrandedIds.ts"

export interface SnapshotRow {
  readonly actor_type: string
  readonly actor_id: string
  readonly workspace_id: WorkspaceId | null
  readonly version: number
  readonly state: string
  readonly columns: Readonly<Record<string, Column>>
}

export interface StoredEvent extends EventRow {
  readonly recorded_at: number
}

export interface StoredDelivery extends DeliveryRow {
  readonly workspace_id: WorkspaceId
  readonly subscription_id: SubscriptionId
  readonly event_id: string
  readonly event_kind: string
  readonly subject_id: string
  readonly sequence: number
}

const actorKey = (actor_type: string, actor_id: string): string => `${actor_type}/${actor_id}`

const idempotencyKey = (row: Pick<IdempotencyRow, "workspace_id" | "method" | "route" | "key">): string =>
  JSON.stringify([row.workspace_id, row.method, row.route, row.key])

const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

const compareAlarms = (a: Alarm, b: Alarm): number =>
  a.due_at - b.due_at || compareText(a.actor_type, b.actor_type) || compareText(a.actor_id, b.actor_id)

/**
 * The same id for the same event and subscription, however often the fan-out is made: their MD5 as a UUID of version 8
 * (RFC 9562, section 5.8).
 */
const deliveryId = (event_id: string, subscription_id: SubscriptionId): string =>
  createHash("md5")
    .update(event_id + subscription_id)
    .digest("hex")
    .replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/, "$1-$2-8$3-8$4-$5")

export class MemoryTables {
  readonly snapshots = new Map<string, SnapshotRow>()
  readonly alarms = new Map<string, Alarm>()
  readonly events: Array<StoredEvent> = []
  /** By call and key. */
  readonly trail = new Map<string, CallTrailRow>()
  readonly holds = new Map<string, HoldRow>()
  readonly ledger: Array<LedgerEntryRow> = []
  readonly deliveries = new Map<string, StoredDelivery>()
  readonly audit: Array<AuditRow> = []
  readonly idempotency = new Map<string, IdempotencyRow>()
  private readonly subscriptions = new Map<string, SnapshotRow>()
  private readonly charged = new Set<string>()
  private readonly booked = new Set<string>()
  /** The holds of calls that are stored. */
  private readonly usedHolds = new Set<string>()

  snapshot(actor_type: string, actor_id: string): SnapshotRow | undefined {
    return this.snapshots.get(actorKey(actor_type, actor_id))
  }

  /** Why the entries cannot be written together, or undefined where they can. Each has an actor of its own. */
  refusal(unit: ReadonlyArray<Entry>): NotCommitted["reason"] | undefined {
    const opened = unit.flatMap(({ holds = [] }) => holds.flatMap(({ id, status }) => (status === "open" ? [id] : [])))
    for (const entry of unit) {
      const reason = this.refusalOf(entry, new Set(opened))
      if (reason !== undefined) return reason
    }
    return undefined
  }

  private refusalOf(entry: Entry, opened: ReadonlySet<string>): NotCommitted["reason"] | undefined {
    const stored = this.snapshot(entry.actor_type, entry.actor_id)
    if (entry.snapshot !== undefined && entry.snapshot.version - 1 !== (stored?.version ?? 0)) return "stale"
    if (entry.idempotency !== undefined && this.idempotency.has(idempotencyKey(entry.idempotency))) return "duplicate"
    const { needs_hold } = entry
    if (needs_hold !== undefined && !opened.has(needs_hold) && this.holds.get(needs_hold)?.status !== "open")
      return "stale"
    for (const { id, status, unused } of entry.holds ?? []) {
      if (status !== "captured" && this.holds.get(id)?.status === "captured") return "captured"
      if (unused && (this.usedHolds.has(id) || this.holds.get(id)?.status !== "open")) return "stale"
    }
    const taken = entry.ledger?.some(
      (row) => this.booked.has(row.id) || (row.kind === "call_charge" && this.charged.has(row.reference_id))
    )
    return taken === true ? "stale" : undefined
  }

  /** Writes an entry that is not refused. Its events are fanned out when the whole batch is written. */
  write(entry: Entry, recorded_at: number): void {
    const { actor_id, actor_type, alarm, workspace_id } = entry
    const key = actorKey(actor_type, actor_id)
    if (entry.snapshot !== undefined) {
      const row = { actor_type, actor_id, workspace_id, ...entry.snapshot }
      this.snapshots.set(key, row)
      if (actor_type === "Subscription") this.subscriptions.set(actor_id, row)
    }
    if (alarm === null) this.alarms.delete(key)
    if (typeof alarm === "number") this.alarms.set(key, { actor_type, actor_id, due_at: alarm })
    for (const row of entry.trail ?? []) {
      const key = `${row.call_id} ${row.key}`
      if (!this.trail.has(key)) this.trail.set(key, row)
    }
    for (const { unused: _, ...hold } of entry.holds ?? []) this.holds.set(hold.id, hold)
    if (entry.needs_hold !== undefined) this.usedHolds.add(entry.needs_hold)
    for (const row of entry.ledger ?? []) {
      this.ledger.push(row)
      this.booked.add(row.id)
      if (row.kind === "call_charge") this.charged.add(row.reference_id)
    }
    for (const row of entry.deliveries ?? []) {
      const delivery = this.deliveries.get(row.id)
      if (delivery?.created_at === row.created_at) this.deliveries.set(row.id, { ...delivery, ...row })
    }
    for (const row of entry.redeliveries ?? []) {
      this.deliveries.set(row.id, {
        ...row,
        status: "pending",
        attempts: 0,
        next_attempt_at: row.created_at,
        finished_at: null,
        last_error: null,
        attempt_log: "[]"
      })
    }
    if (entry.idempotency !== undefined) this.idempotency.set(idempotencyKey(entry.idempotency), entry.idempotency)
    this.audit.push(...(entry.audit ?? []))
    for (const event of entry.events ?? []) this.events.push({ ...event, recorded_at })
  }

  /** Returns the subscriptions that got a delivery. */
  fanOut(event: EventRow, now: number): ReadonlyArray<SubscriptionId> {
    const matching = [...this.subscriptions.values()].filter(({ actor_id, columns, workspace_id }) => {
      if (workspace_id !== event.workspace_id || columns["status"] !== "active") return false
      if (actor_id === event.subscription_id) return true
      if (actor_id === event.subject_id) return false
      const kinds = columns["kinds"] as ReadonlyArray<string>
      const number_ids = columns["number_ids"] as ReadonlyArray<string>
      return (
        kinds.includes(event.kind) &&
        (number_ids.length === 0 || (event.number_id !== null && number_ids.includes(event.number_id)))
      )
    })
    for (const { actor_id, actor_type } of matching) {
      const subscription_id = toSubscriptionId(actor_id)
      const id = deliveryId(event.id, subscription_id)
      this.deliveries.set(id, {
        id,
        workspace_id: event.workspace_id,
        subscription_id,
        event_id: event.id,
        event_kind: event.kind,
        subject_id: event.subject_id,
        sequence: event.sequence,
        status: "pending",
        attempts: 0,
        next_attempt_at: now,
        created_at: now,
        finished_at: null,
        last_error: null,
        attempt_log: "[]"
      })
      const key = actorKey(actor_type, actor_id)
      const due_at = Math.min(now, this.alarms.get(key)?.due_at ?? now)
      this.alarms.set(key, { actor_type, actor_id, due_at })
    }
    return matching.map(({ actor_id }) => toSubscriptionId(actor_id))
  }

  load(actor_type: string, actor_id: string): Stored | undefined {
    const row = this.snapshot(actor_type, actor_id)
    if (row === undefined) return undefined
    const holds =
      actor_type === "Wallet"
        ? [...this.holds.values()].filter((hold) => hold.workspace_id === actor_id && hold.status === "open")
        : []
    const dialled = actor_type === "Wallet" ? this.dialled(toWorkspaceId(actor_id)) : []
    return {
      version: row.version,
      workspace_id: row.workspace_id,
      state: row.state,
      alarm: this.alarms.get(actorKey(actor_type, actor_id))?.due_at ?? null,
      holds: holds.sort((a, b) => a.placed_at - b.placed_at || compareText(a.id, b.id)),
      ...(dialled.length > 0 && { dialled })
    }
  }

  /** Includes calls of earlier hours, which the reader leaves out. */
  private dialled(workspace_id: WorkspaceId): ReadonlyArray<readonly [to: string, at: number]> {
    return [...this.snapshots.values()]
      .filter(
        (row) =>
          row.actor_type === "Call" && row.workspace_id === workspace_id && row.columns["direction"] === "outbound"
      )
      .map(({ columns }) => [String(columns["to_e164"]), Number(columns["created_at"])] as const)
      .sort(([, a], [, b]) => a - b)
      .slice(-10_000)
  }

  due(before: number, after: Alarm | undefined, limit: number): ReadonlyArray<Alarm> {
    return [...this.alarms.values()]
      .filter((alarm) => alarm.due_at <= before && (after === undefined || compareAlarms(alarm, after) > 0))
      .sort(compareAlarms)
      .slice(0, limit)
  }

  /** Postpones alarms that have not changed since they were read. */
  postpone(alarms: ReadonlyArray<Alarm>, until: number): void {
    for (const { actor_id, actor_type, due_at } of alarms) {
      const key = actorKey(actor_type, actor_id)
      if (this.alarms.get(key)?.due_at === due_at) this.alarms.set(key, { actor_type, actor_id, due_at: until })
    }
  }
}
