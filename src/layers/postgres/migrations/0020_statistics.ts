// Columns that statistics sum, daily rollups of past days, and indexes for searching calls.
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

const statements = [
  "ALTER TABLE calls ADD COLUMN country text, ADD COLUMN duration_seconds int, ADD COLUMN billed_seconds int",
  `UPDATE calls SET
    duration_seconds = talk.seconds,
    billed_seconds = CASE WHEN talk.rate = 0 THEN talk.seconds ELSE least(talk.seconds, talk.covered_minutes * 60) END
    FROM (
      SELECT id,
        greatest(1, ceil(((state ->> 'ended_at')::int8 - (state ->> 'answered_at')::int8) / 1000.0))::int AS seconds,
        (state ->> 'covered_minutes')::int AS covered_minutes,
        (state -> 'facts' ->> 'rate_per_min_minor')::int8 AS rate
      FROM calls WHERE status = 'completed'
    ) talk
    WHERE calls.id = talk.id`,
  `CREATE INDEX calls_by_reference ON calls (workspace_id, client_reference, created_at DESC, id DESC)
    WHERE client_reference IS NOT NULL`,
  "CREATE INDEX calls_by_destination ON calls (workspace_id, to_e164, created_at DESC, id DESC)",
  `CREATE TABLE call_stats (
    workspace_id uuid NOT NULL,
    day date NOT NULL,
    number_id uuid,
    country text,
    status text NOT NULL,
    direction text NOT NULL,
    calls int NOT NULL,
    answered int NOT NULL,
    duration_seconds int8 NOT NULL,
    billed_seconds int8 NOT NULL,
    cost_minor int8 NOT NULL
  )`,
  "CREATE INDEX call_stats_of_workspace ON call_stats (workspace_id, day)",
  // A day is listed here once its rows are in call_stats. A day without calls has none.
  `CREATE TABLE call_stats_days (
    workspace_id uuid NOT NULL,
    day date NOT NULL,
    made_at timestamptz NOT NULL,
    PRIMARY KEY (workspace_id, day)
  )`
]

export const statistics = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  for (const statement of statements) yield* sql.unsafe(statement)
})
