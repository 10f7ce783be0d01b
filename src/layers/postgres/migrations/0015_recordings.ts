// Recordings of calls. The audio itself is in the recording store.
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

const recordings = `
CREATE TABLE recordings (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL,
  version int NOT NULL,
  state json NOT NULL,
  call_id uuid NOT NULL,
  status text NOT NULL CHECK (status IN ('in_progress', 'processing', 'available', 'failed', 'expired', 'deleted')),
  created_at timestamptz NOT NULL,
  size_bytes int8 CHECK (size_bytes > 0),
  CHECK (status <> 'available' OR size_bytes IS NOT NULL)
) WITH (fillfactor = 70);
CREATE INDEX recordings_of_workspace ON recordings (workspace_id, created_at DESC, id DESC);
CREATE INDEX recordings_of_call ON recordings (call_id);
CREATE INDEX recordings_stored ON recordings (workspace_id, created_at, id) INCLUDE (size_bytes) WHERE status = 'available'`

export const addRecordings = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  for (const statement of recordings.split(";")) yield* sql.unsafe(statement)
})
