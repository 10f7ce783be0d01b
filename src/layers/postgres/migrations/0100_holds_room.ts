// Every hold is changed once when its call is stored and once when it ends: half of each page is kept free, so that the
// new versions stay beside the old ones and no index is written for them.
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export const holdsRoom = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql.unsafe("ALTER TABLE holds SET (fillfactor = 45)")
})
