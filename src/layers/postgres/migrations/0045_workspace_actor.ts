// Workspaces become actors: each row gets a version and a state.
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

const statements = [
  `ALTER TABLE workspaces
    ADD COLUMN workspace_id uuid GENERATED ALWAYS AS (id) STORED,
    ADD COLUMN version int NOT NULL DEFAULT 1,
    ADD COLUMN state json NOT NULL DEFAULT '{"status_before": null, "sequence": 0, "generation": 0, "members": {}}',
    ADD COLUMN number_mode text NOT NULL DEFAULT 'unset' CHECK (number_mode IN ('unset', 'platform', 'byoc')),
    ADD COLUMN retention_days int NOT NULL DEFAULT 90 CHECK (retention_days BETWEEN 1 AND 3650),
    ADD COLUMN member_ids text[] NOT NULL DEFAULT '{}'`,
  // A workspace that already has numbers gets the mode of those.
  `UPDATE workspaces SET number_mode = 'platform'
    WHERE id IN (SELECT workspace_id FROM numbers WHERE source = 'platform')`,
  "CREATE INDEX workspaces_of_member ON workspaces USING gin (member_ids)"
]

export const workspaceActor = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  for (const statement of statements) yield* sql.unsafe(statement)
})
