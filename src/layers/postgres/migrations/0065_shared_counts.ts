// Rate-limit counters that all processes share. `full_at`: when the whole burst is available again.
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export const sharedCounts = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE shared_counts (
      quota text NOT NULL,
      who text NOT NULL,
      full_at float8 NOT NULL,
      admitted bool NOT NULL,
      PRIMARY KEY (quota, who)
    )`
  yield* sql`CREATE INDEX shared_counts_full ON shared_counts (full_at)`
})
