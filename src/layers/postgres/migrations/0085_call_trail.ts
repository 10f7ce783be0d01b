// Rows for the timeline of a call that are neither events nor money: questions, actions, minutes set aside.
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

const statements = [
  `CREATE TABLE call_trail (
    call_id uuid NOT NULL,
    workspace_id uuid NOT NULL,
    key text COLLATE "C" NOT NULL,
    kind text NOT NULL,
    at timestamptz NOT NULL,
    recorded_at timestamptz NOT NULL,
    detail json NOT NULL,
    PRIMARY KEY (call_id, key, recorded_at)
  ) PARTITION BY RANGE (recorded_at)`,
  "CREATE TABLE call_trail_default PARTITION OF call_trail DEFAULT"
]

export const callTrail = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  for (const statement of statements) yield* sql.unsafe(statement)
})
