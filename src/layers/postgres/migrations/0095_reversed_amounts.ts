// How much of a top-up the provider has taken back: before, all of it or nothing.
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

const statements = [
  "ALTER TABLE topups ADD COLUMN reversed_minor int8 NOT NULL DEFAULT 0",
  "UPDATE topups SET reversed_minor = credited_minor WHERE status = 'reversed'"
]

export const reversedAmounts = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  for (const statement of statements) yield* sql.unsafe(statement)
})
