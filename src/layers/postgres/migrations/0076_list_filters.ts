// Indexes for list filters, each in list order, so that rare values are found without scanning. Call charges are almost
// all of the ledger, so the index of the other kinds leaves them out.
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

const statements = [
  `CREATE INDEX ledger_entries_by_kind ON ledger_entries (workspace_id, kind, created_at DESC, id DESC) WHERE kind <> 'call_charge'`,
  "CREATE INDEX deliveries_by_kind ON deliveries (subscription_id, event_kind, status, created_at DESC, id DESC)",
  "CREATE INDEX recordings_by_status ON recordings (workspace_id, status, created_at DESC, id DESC)",
  "CREATE INDEX topups_by_status ON topups (workspace_id, status, created_at DESC, id DESC)",
  // The request role cannot use expression indexes (row security), so the value is a column.
  "ALTER TABLE audit_entries ADD COLUMN actor_id text GENERATED ALWAYS AS (actor ->> 'id') STORED",
  "CREATE INDEX audit_entries_by_kind ON audit_entries (workspace_id, action_kind, created_at DESC, id DESC)",
  "CREATE INDEX audit_entries_by_actor ON audit_entries (workspace_id, actor_id, action_kind, created_at DESC, id DESC)",
  "CREATE INDEX audit_entries_by_target ON audit_entries (workspace_id, target_id, action_kind, created_at DESC, id DESC)"
]

export const listFilters = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  for (const statement of statements) yield* sql.unsafe(statement)
})
