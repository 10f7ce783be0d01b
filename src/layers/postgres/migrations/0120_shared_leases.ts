// What the processes of a cluster have taken of the limits of a workspace. The table is not logged: it is written at
// least every twenty requests, and if a crash of the database server empties it, the limits only start afresh.
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

const statements = [
  `CREATE UNLOGGED TABLE shared_leases (
    quota text NOT NULL,
    who text NOT NULL,
    full_at float8 NOT NULL,
    granted int NOT NULL,
    PRIMARY KEY (quota, who)
  )`,
  "CREATE INDEX shared_leases_full ON shared_leases (full_at)"
]

export const sharedLeases = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  for (const statement of statements) yield* sql.unsafe(statement)
})
