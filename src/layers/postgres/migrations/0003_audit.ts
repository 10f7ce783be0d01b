// The audit log: who did what to a workspace.
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

const entries = `
CREATE TABLE audit_entries (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  sequence int8 GENERATED ALWAYS AS IDENTITY UNIQUE,
  workspace_id uuid NOT NULL REFERENCES workspaces,
  action_kind text NOT NULL,
  actor json NOT NULL,
  target_type text NOT NULL,
  target_id text NOT NULL,
  ip text,
  user_agent text,
  request_id text,
  before json,
  after json,
  created_at timestamptz NOT NULL
);
CREATE INDEX audit_entries_newest ON audit_entries (workspace_id, created_at DESC, id DESC)`

export const audit = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  for (const statement of entries.split(";")) yield* sql.unsafe(statement)
})
