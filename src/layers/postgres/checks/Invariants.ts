// Invariants of the database, checked by `npm run check:db`. All queries read one snapshot, so an engine may run
// meanwhile. Work that a crash interrupted is no breach while an alarm will resume it.
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { hasAlarm, type Invariant, terminal } from "./Invariant.ts"
import { money } from "./MoneyInvariants.ts"
import { numbers } from "./NumberInvariants.ts"
import { recordings } from "./RecordingInvariants.ts"

export interface Finding {
  readonly name: string
  /** Number of breaking rows. */
  readonly count: number
  /** The first breaking rows, as JSON text. */
  readonly rows: ReadonlyArray<string>
}

const shownRows = 20

const calls: ReadonlyArray<Invariant> = [
  {
    name: "Every completed call has exactly one charge, equal to its cost; other calls have none",
    breaches: `
      SELECT call_id, c.status, c.cost_minor, e.charges, e.charged_minor
      FROM (SELECT id AS call_id, status, cost_minor, state ->> 'phase' AS phase FROM calls) c FULL JOIN (
        SELECT reference_id::uuid AS call_id, count(*) AS charges, -sum(amount_minor)::int8 AS charged_minor
        FROM ledger_entries WHERE kind = 'call_charge' GROUP BY reference_id
      ) e USING (call_id)
      WHERE CASE
        WHEN c.status = 'completed' THEN e.charges IS DISTINCT FROM 1 OR e.charged_minor IS DISTINCT FROM c.cost_minor
        WHEN c.phase = 'settling' THEN e.charges > 1
        ELSE e.charges > 0
      END`
  },
  {
    name: "A call is answered or completed if and only if it has an answer time",
    breaches: `
      SELECT id, status, answered_at FROM calls
      WHERE (status IN ('answered', 'completed')) <> (answered_at IS NOT NULL)`
  },
  {
    name: "A call has a cost if and only if it has ended; only completed calls cost more than 0",
    breaches: `
      SELECT id, status, cost_minor FROM calls
      WHERE (status IN ${terminal}) <> (cost_minor IS NOT NULL) OR status <> 'completed' AND cost_minor <> 0`
  },
  {
    name: "Every call that has not ended has an alarm",
    breaches: `
      SELECT id, status FROM calls c WHERE status NOT IN ${terminal} AND NOT ${hasAlarm("Call", "c.id")}`
  },
  {
    name: "The events of a call are numbered from 1 without a gap, up to the call's own count",
    breaches: `
      SELECT id, (c.state ->> 'sequence')::int AS counted, e.first, e.last, e.events
      FROM calls c LEFT JOIN (
        SELECT subject_id, min(sequence) AS first, max(sequence) AS last, count(DISTINCT sequence) AS events
        FROM events GROUP BY subject_id
      ) e ON e.subject_id = c.id
      WHERE (e.first, e.last, e.events) IS DISTINCT FROM
        (1, (c.state ->> 'sequence')::int, (c.state ->> 'sequence')::int8)`
  },
  {
    name: "An ended call has exactly one end event; a live call has none",
    breaches: `
      SELECT id, status, ends FROM calls c LEFT JOIN (
        SELECT subject_id, count(*) AS ends, min(kind) AS kind FROM events
        WHERE kind IN ('call.completed', 'call.no_answer', 'call.busy', 'call.failed', 'call.canceled')
        GROUP BY subject_id
      ) e ON e.subject_id = c.id
      WHERE CASE WHEN status IN ${terminal} THEN (ends, kind) IS DISTINCT FROM (1::int8, 'call.' || status) ELSE ends > 0 END`
  }
]

const webhooks: ReadonlyArray<Invariant> = [
  {
    name: "Every delivery, its event and its subscription belong to one workspace",
    breaches: `
      SELECT d.id AS delivery_id, d.event_id, d.subscription_id, d.workspace_id FROM deliveries d
      LEFT JOIN events e ON e.subject_id = d.subject_id AND e.sequence = d.sequence AND e.id = d.event_id
      LEFT JOIN webhook_subscriptions s ON s.id = d.subscription_id
      WHERE e.workspace_id IS DISTINCT FROM d.workspace_id OR s.workspace_id IS DISTINCT FROM d.workspace_id`
  }
]

export const invariants = [...money, ...calls, ...recordings, ...numbers, ...webhooks]

const check = Effect.fnUntraced(function* ({ breaches, name }: Invariant) {
  const sql = yield* SqlClient.SqlClient
  const found = yield* sql.unsafe<{ readonly row: string; readonly total: number }>(
    `SELECT to_json(b)::text AS row, (count(*) OVER ())::int AS total FROM (${breaches}) b LIMIT ${shownRows}`
  )
  return { name, count: found[0]?.total ?? 0, rows: found.map(({ row }) => row) } satisfies Finding
})

/** Returns one finding for each invariant, in a fixed order. Only reads. */
export const checkInvariants = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const all = Effect.gen(function* () {
    yield* sql`SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY`
    yield* sql`SELECT set_config('statement_timeout', '0', true)`
    return yield* Effect.forEach(invariants, check)
  })
  return yield* sql.withTransaction(all)
})
