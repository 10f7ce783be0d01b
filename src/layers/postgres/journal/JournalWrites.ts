// What the journal writes: a part of its statement for each kind of row.
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
import type { LedgerLine, NeededHold, WrittenHold } from "./JournalBatch.ts"
import { bool, column, columns, instant, int4, int8, json, text, uuid } from "./JournalColumns.ts"
import { counted, insertion, names, type CountedSection, type Section, section } from "./JournalSections.ts"
import { type SnapshotTable, type SnapshotWrite, snapshotTables, subscriptionType } from "./JournalTables.ts"

// Parameters 1 and 2 are the batch's id and time.
export const now = "$2::timestamptz"

const fence = column<SnapshotWrite>("fence", int4)

const snapshotInsert = (table: SnapshotTable): Section =>
  insertion(
    `${table.name}_inserted`,
    table.name,
    [...table.key, ...table.rest],
    ({ inserted }) => inserted.get(table) ?? []
  )

const snapshotUpdate = (table: SnapshotTable): CountedSection =>
  counted(
    `${table.name}_updated`,
    [fence, ...table.key, ...table.rest],
    ({ updated }) => updated.get(table) ?? [],
    (r) =>
      `UPDATE ${table.name} AS t SET ${table.rest.map(({ name }) => `${name} = r.${name}`).join(", ")} FROM ${r}
       WHERE ${table.key.map(({ name }) => `t.${name} = r.${name}`).join(" AND ")} AND t.version = r.fence
       RETURNING 1`
  )

/**
 * The id of a delivery: the MD5 of event and subscription as a UUID of version 8 (RFC 9562, section 5.8). It is the
 * same however often the fan-out is made.
 */
export const deliveryId = (event: string, subscription: string): string =>
  `overlay(overlay(md5(${event}::text || ${subscription}::text) PLACING '8' FROM 13) PLACING '8' FROM 17)::uuid`

const alarm = columns<Alarm>({ actor_type: [text], actor_id: [text], due_at: [instant] })
const setAlarm = "ON CONFLICT (actor_type, actor_id) DO UPDATE SET due_at = excluded.due_at"

/**
 * Makes the deliveries of events to active subscriptions. OFFSET keeps the planner from reading all topics first: each
 * event looks up its kind, its number and the subscription that it names, so subscriptions to others cost nothing. A
 * subscription gets no events about itself: the same statement writes it, so it would see the old row.
 */
export const fanOut = section<EventRow>(
  "delivered",
  columns<EventRow>({
    id: [uuid],
    workspace_id: [uuid],
    subject_id: [uuid],
    sequence: [int4],
    kind: [text],
    number_id: [text],
    subscription_id: [uuid, (row) => row.subscription_id ?? null]
  }),
  (batch) => batch.fan_out,
  (r) =>
    `INSERT INTO deliveries (id, workspace_id, subscription_id, event_id, event_kind, subject_id, sequence, status,
       attempts, next_attempt_at, created_at, attempt_log)
     SELECT ${deliveryId("r.id", "s.id")}, r.workspace_id, s.id, r.id, r.kind, r.subject_id, r.sequence, 'pending',
       0, ${now}, ${now}, '[]'
     FROM ${r} CROSS JOIN LATERAL (
       SELECT topic, subscription_id FROM webhook_topics
       WHERE workspace_id = r.workspace_id AND topic IN (r.kind, r.number_id, r.subscription_id::text)
         AND subscription_id <> r.subject_id OFFSET 0
     ) AS w CROSS JOIN LATERAL (
       SELECT id, kinds FROM webhook_subscriptions
       WHERE id = w.subscription_id AND workspace_id = r.workspace_id AND status = 'active' OFFSET 0
     ) AS s
     WHERE CASE s.id WHEN r.subscription_id THEN w.topic = s.id::text ELSE r.kind = ANY(s.kinds) END
     RETURNING subscription_id::text`
)

/**
 * The fan-out sets the alarms of its subscriptions to now, whatever their own entries say, and never later than they
 * were. Several processes may do so for the same subscriptions, so the rows are locked in one order.
 */
export const subscriptionAlarms = section<Alarm>(
  "subscription_alarms_set",
  alarm,
  (batch) => batch.subscription_alarms,
  (r, fansOut) =>
    `INSERT INTO alarms (actor_type, actor_id, due_at)
     SELECT actor_type, actor_id, min(due_at)
     FROM (SELECT * FROM ${r}${fansOut ? ` UNION ALL SELECT DISTINCT '${subscriptionType}', subscription_id, ${now} FROM delivered` : ""}) AS due
     GROUP BY actor_type, actor_id ORDER BY actor_type, actor_id
     ON CONFLICT (actor_type, actor_id) DO UPDATE SET due_at =
       CASE excluded.due_at WHEN ${now} THEN least(alarms.due_at, ${now}) ELSE excluded.due_at END`
)

/**
 * Removes alarms. The table fills and empties within seconds, so its statistics sometimes say that it is empty, and a
 * join would be planned to read all of it for each batch. OFFSET makes each row of the batch use the index.
 */
const alarmsCleared = section<Entry>(
  "alarms_cleared",
  columns<Entry>({ actor_type: [text], actor_id: [text] }),
  (batch) => batch.cleared,
  (r, fansOut) =>
    `DELETE FROM alarms WHERE ctid = ANY (ARRAY(
       SELECT a.ctid FROM ${r} CROSS JOIN LATERAL (
         SELECT t.ctid FROM alarms t WHERE t.actor_type = r.actor_type AND t.actor_id = r.actor_id OFFSET 0
       ) AS a${fansOut ? ` WHERE r.actor_type <> '${subscriptionType}' OR r.actor_id NOT IN (SELECT subscription_id FROM delivered)` : ""}))`
)

const outcome = columns<DeliveryRow>({
  status: [text],
  attempts: [int4],
  next_attempt_at: [instant],
  finished_at: [instant],
  last_error: [json],
  attempt_log: [json]
})

const deliveries = section<DeliveryRow>(
  "deliveries_updated",
  [...columns<DeliveryRow>({ id: [uuid], created_at: [instant] }), ...outcome],
  (batch) => batch.deliveries,
  (r) =>
    `UPDATE deliveries AS t SET ${outcome.map(({ name }) => `${name} = r.${name}`).join(", ")} FROM ${r}
     WHERE t.id = r.id AND t.created_at = r.created_at`
)

const event = columns<EventRow>({
  id: [uuid],
  workspace_id: [uuid],
  subject_id: [uuid],
  sequence: [int4],
  kind: [text],
  occurred_at: [instant],
  late: [bool],
  payload: [json]
})

const events = section<EventRow>(
  "events_inserted",
  event,
  (batch) => batch.events,
  (r) => `INSERT INTO events (${names(event)}, recorded_at) SELECT ${names(event)}, ${now} FROM ${r}`
)

const trailRow = columns<CallTrailRow>({
  call_id: [uuid],
  workspace_id: [uuid],
  key: [text],
  kind: [text],
  at: [instant],
  detail: [json]
})

/** A line that exists is kept, so that no line of a timeline can keep a call from being stored. */
const trail = section<CallTrailRow>(
  "call_trail_inserted",
  trailRow,
  (batch) => batch.trail,
  (r) =>
    `INSERT INTO call_trail (${names(trailRow)}, recorded_at) SELECT ${names(trailRow)}, ${now} FROM ${r}
     ON CONFLICT DO NOTHING`
)

const hold = columns<WrittenHold>({
  id: [uuid],
  workspace_id: [uuid],
  call_id: [uuid],
  amount_minor: [int8],
  status: [text],
  captured_minor: [int8],
  placed_at: [instant],
  closed_at: [instant],
  trunk_legs: [int4],
  legs: [int4],
  high_risk_legs: [int4],
  used: [bool]
})

const holds = insertion(
  "holds_set",
  "holds",
  hold,
  (batch) => batch.holds,
  `ON CONFLICT (id) DO UPDATE SET amount_minor = excluded.amount_minor, status = excluded.status,
     captured_minor = excluded.captured_minor, placed_at = excluded.placed_at, closed_at = excluded.closed_at,
     trunk_legs = excluded.trunk_legs, legs = excluded.legs, high_risk_legs = excluded.high_risk_legs,
     used = holds.used OR excluded.used`
)

/**
 * A hold is open while it has no time of its end, as a check of the table says. Asking for `status = 'open'` would let
 * the planner read the partial index `holds_open`, which lists the open holds of all workspaces, for every batch.
 */
const isOpen = "t.closed_at IS NULL"

/**
 * Two processes may release a hold and store its call at the same moment. Both change the row of the hold, so the
 * second waits for the first, finds that its condition does not hold any more, and is refused as a whole. `FOR SHARE`
 * would not do: it makes no new version of the row, and the second would go on with what it read before.
 */
const holdsUsed = counted<NeededHold>(
  "holds_used",
  [column<NeededHold>("id", uuid)],
  (batch) => batch.needed_holds,
  (r) => `UPDATE holds AS t SET used = true FROM ${r} WHERE t.id = r.id AND ${isOpen} RETURNING 1`
)

const unusedHoldsReleased = counted<HoldRow>(
  "unused_holds_released",
  [column<HoldRow>("id", uuid), column<HoldRow>("closed_at", instant)],
  (batch) => batch.unused_holds,
  (r) =>
    `UPDATE holds AS t SET status = 'released', closed_at = r.closed_at FROM ${r}
     WHERE t.id = r.id AND ${isOpen} AND NOT t.used RETURNING 1`
)

const ledgerEntry = columns<LedgerEntryRow>({
  id: [uuid],
  workspace_id: [uuid],
  sequence: [int8],
  kind: [text],
  amount_minor: [int8],
  balance_after_minor: [int8],
  currency: [text],
  reference_type: [text],
  reference_id: [text],
  description: [text],
  created_at: [instant],
  actor: [json],
  metadata: [json]
})

const ledgerLine = columns<LedgerLine>({ entry_id: [uuid], account: [text], amount_minor: [int8] })

const idempotencyKey = columns<IdempotencyRow>({
  workspace_id: [uuid],
  method: [text],
  route: [text],
  key: [text],
  fingerprint: [text],
  status: [int4],
  body: [text],
  headers: [json, (row) => JSON.stringify(row.headers)],
  created_at: [instant]
})

const redelivery = columns<RedeliveryRow>({
  id: [uuid],
  workspace_id: [uuid],
  subscription_id: [uuid],
  event_id: [uuid],
  event_kind: [text],
  subject_id: [uuid],
  sequence: [int4],
  created_at: [instant]
})

/** Deliveries of a replay. A replay also writes an audit line, so only the statement for rare rows has this section. */
const redeliveries = section<RedeliveryRow>(
  "redelivered",
  redelivery,
  (batch) => batch.redeliveries,
  (r) =>
    `INSERT INTO deliveries (${names(redelivery)}, status, attempts, next_attempt_at, attempt_log)
   SELECT ${names(redelivery)}, 'pending', 0, created_at, '[]' FROM ${r}`
)

const audit = columns<AuditRow>({
  workspace_id: [uuid],
  action_kind: [text],
  actor: [json],
  target_type: [text],
  target_id: [text],
  ip: [text],
  user_agent: [text],
  request_id: [text],
  before: [json],
  after: [json],
  created_at: [instant]
})

/** Each audit row locks the chain of its workspace, so they are inserted in one order. */
const audits = section(
  "audit_entries_inserted",
  audit,
  (batch) => batch.audit,
  (r) => `INSERT INTO audit_entries (${names(audit)}) SELECT ${names(audit)} FROM ${r} ORDER BY workspace_id`
)

const updates = new Map(snapshotTables.map((table) => [table, snapshotUpdate(table)]))
const inserts = new Map(snapshotTables.map((table) => [table, snapshotInsert(table)]))
/** Sections whose rows must all be written, or the batch is refused. */
export const countedSections: ReadonlyArray<CountedSection> = [...updates.values(), holdsUsed, unusedHoldsReleased]

/** In the order in which the server executes them. */
export const everySection: ReadonlyArray<Section> = [
  ...countedSections,
  ...inserts.values(),
  events,
  trail,
  fanOut,
  insertion("alarms_set", "alarms", alarm, (batch) => batch.alarms, setAlarm),
  subscriptionAlarms,
  alarmsCleared,
  holds,
  insertion("ledger_entries_inserted", "ledger_entries", ledgerEntry, (batch) => batch.ledger),
  insertion("ledger_lines_inserted", "ledger_lines", ledgerLine, (batch) => batch.lines),
  deliveries,
  insertion("idempotency_keys_inserted", "idempotency_keys", idempotencyKey, (batch) => batch.idempotency),
  redeliveries,
  audits
]

export const rareSections = new Set<Section | undefined>([
  redeliveries,
  audits,
  ...snapshotTables.filter(({ rare }) => rare).flatMap((table) => [updates.get(table), inserts.get(table)])
])
