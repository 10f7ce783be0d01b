// Indexes for workspaces with thousands of numbers, and with as many webhook subscriptions to these numbers.
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * The subscriptions that a workspace has created are counted before each further one. The timeline of a call needs the
 * subscription of its number, and all that are not of numbers.
 */
const subscriptions = [
  // Generated, so that a process of the version before writes it too.
  "ALTER TABLE webhook_subscriptions ADD COLUMN source text GENERATED ALWAYS AS (state->>'source') STORED",
  `CREATE INDEX webhook_subscriptions_created ON webhook_subscriptions (workspace_id)
    WHERE source = 'api' AND status <> 'deleted'`,
  `CREATE INDEX webhook_subscriptions_of_number ON webhook_subscriptions (workspace_id, (number_ids[1]))
    WHERE source = 'number_routing'`,
  `CREATE INDEX webhook_subscriptions_of_others ON webhook_subscriptions (workspace_id)
    WHERE source IS DISTINCT FROM 'number_routing'`
]

/** An index in the order in which numbers are listed. */
const numbers = [
  `CREATE INDEX numbers_listed ON numbers (workspace_id, (CASE WHEN claimed_at IS NULL THEN 'epoch' ELSE claimed_at END), id)
    WHERE workspace_id IS NOT NULL`,
  "DROP INDEX numbers_of_workspace"
]

export const manyRows = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  for (const statement of [...subscriptions, ...numbers]) yield* sql.unsafe(statement)
})
