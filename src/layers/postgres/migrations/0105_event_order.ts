// The order in which a workspace's events are told by its live stream. Times cannot give it: two transactions may
// commit in the other order than they began. Ids of transactions can: below the oldest transaction that still runs,
// nothing is added any more. Events of before have no place.
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

const statements = [
  "ALTER TABLE events ADD COLUMN txid xid8",
  "ALTER TABLE events ALTER COLUMN txid SET DEFAULT pg_current_xact_id()",
  "CREATE INDEX events_in_order ON events (workspace_id, txid, sequence, id)"
]

export const eventOrder = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  for (const statement of statements) yield* sql.unsafe(statement)
})
