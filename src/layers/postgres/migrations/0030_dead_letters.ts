// An index of dead letters, so that a replay does not scan successful deliveries.
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export const deadLetters = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`CREATE INDEX deliveries_dead ON deliveries (subscription_id, created_at) WHERE status = 'dead_letter'`
})
