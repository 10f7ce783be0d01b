// What is true of money and calls whatever happens, as questions whose answer is every row that breaks it. All of them
// are asked of one snapshot, so an engine may be at work meanwhile. Work that a crash cut short is no breach while an
// alarm stands for it: the next start finishes it.
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { hasAlarm, type Invariant, terminal } from "./Invariant.ts"
import { money } from "./MoneyInvariants.ts"
import { numbers } from "./NumberInvariants.ts"
import { recordings } from "./RecordingInvariants.ts"

export interface Finding {
  readonly name: string
  /** How many rows break it. */
  readonly count: number
  /** The first of them, as JSON text. */
  readonly rows: ReadonlyArray<string>
}

const shown_rows = 20

const calls: ReadonlyArray<Invariant> = [
  {
    name: "Every completed call has one charge, of its cost, and no other call has any",
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
    name: "A call has a cost if and only if it has ended, and only a completed one costs anything",
    breaches: `
      SELECT id, status, cost_minor FROM calls
      WHERE (status IN ${terminal}) <> (cost_minor IS NOT NULL) OR status <> 'completed' AND cost_minor <> 0`
  },
  {
    name: "Every call that has not ended has an alarm that will bring it back",
    breaches: `
      SELECT id, status FROM calls c WHERE status NOT IN ${terminal} AND NOT ${hasAlarm("Call", "c.id")}`
  },
  {
    name: "The events of a call are numbered from 1 without a gap, as many as the call counts",
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
    name: "A call has one event of its end if it has ended, and none before",
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
    name: "Every delivery has its event and its subscription, in one workspace",
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
    `SELECT to_json(b)::text AS row, (count(*) OVER ())::int AS total FROM (${breaches}) b LIMIT ${shown_rows}`
  )
  return { name, count: found[0]?.total ?? 0, rows: found.map(({ row }) => row) } satisfies Finding
})

/** One finding for each invariant, in a fixed order. Changes nothing. */
export const checkInvariants = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const all = Effect.gen(function* () {
    yield* sql`SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY`
    yield* sql`SELECT set_config('statement_timeout', '0', true)`
    return yield* Effect.forEach(invariants, check)
  })
  return yield* sql.withTransaction(all)
})
