// Sums of ended calls, kept up to an instant for each workspace. Statistics of calls placed before it read only the
// sums. The engine rebuilds the sums from the calls when it starts.
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

const statements = [
  "DROP TABLE call_stats_days",
  "TRUNCATE call_stats",
  "DROP INDEX call_stats_of_workspace",
  `CREATE UNIQUE INDEX call_stats_once ON call_stats
    (workspace_id, day, coalesce(number_id, '00000000-0000-0000-0000-000000000000'), coalesce(country, ''), status, direction)`,
  "CREATE TABLE call_stats_sealed (workspace_id uuid PRIMARY KEY, until timestamptz NOT NULL) WITH (fillfactor = 50)"
]

export const sealedStatistics = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  for (const statement of statements) yield* sql.unsafe(statement)
})
