// Marks holds of legs that use the workspace's own trunk, so that the trunk's limits can be enforced.
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export const trunkLegs = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE holds ADD COLUMN trunk_legs int NOT NULL DEFAULT 0`
})
