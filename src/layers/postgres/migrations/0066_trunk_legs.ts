// Which of the legs that money is held for go over the workspace's own trunk: the limits of the trunk are counted by it.
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export const trunkLegs = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE holds ADD COLUMN trunk_legs int NOT NULL DEFAULT 0`
})
