// Conferences of calls. The actor of a workspace's rooms keeps the name unique among those that have not ended.
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

const conferences = `
CREATE TABLE conferences (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL,
  version int4 NOT NULL,
  state json NOT NULL,
  name text NOT NULL,
  status text NOT NULL CHECK (status IN ('waiting', 'in_progress', 'ended')),
  created_at timestamptz NOT NULL
) WITH (fillfactor = 70);
CREATE INDEX conferences_of_workspace ON conferences (workspace_id, created_at DESC, id DESC)`

export const addConferences = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  for (const statement of conferences.split(";")) yield* sql.unsafe(statement)
})
