// Gives workspaces that were closed before an alarm, so that their numbers and keys are released.
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export const closedWorkspaces = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    INSERT INTO alarms (actor_type, actor_id, due_at) SELECT 'Workspace', id::text, now() FROM workspaces WHERE status = 'closed'
    ON CONFLICT DO NOTHING`
  yield* sql`CREATE INDEX numbers_reserved ON numbers (reserved_for) WHERE reserved_for IS NOT NULL`
})
