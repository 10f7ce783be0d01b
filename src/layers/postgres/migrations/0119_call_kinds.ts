// Stored sums of calls tell kinds apart. Those of older engines have no kind until a background job has counted their
// days again (layers/postgres/calls/CallKinds.ts).
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

const statements = [
  "ALTER TABLE call_stats ADD COLUMN kind text",
  "DROP INDEX call_stats_once",
  `CREATE UNIQUE INDEX call_stats_once ON call_stats
    (workspace_id, day, coalesce(number_id, '00000000-0000-0000-0000-000000000000'), coalesce(country, ''), status, direction,
      coalesce(kind, ''))`,
  "CREATE INDEX call_stats_without_kind ON call_stats (workspace_id, day) WHERE kind IS NULL"
]

export const callKinds = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  for (const statement of statements) yield* sql.unsafe(statement)
})
