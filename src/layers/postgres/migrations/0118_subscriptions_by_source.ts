// The subscriptions that a workspace has created are counted before each further one, and its numbers and calls may have
// thousands of others. The timeline of a call needs the subscription of its number, and all that are not of numbers.
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

const statements = [
  // Generated, so that a process of the version before writes it too.
  "ALTER TABLE webhook_subscriptions ADD COLUMN source text GENERATED ALWAYS AS (state->>'source') STORED",
  `CREATE INDEX webhook_subscriptions_created ON webhook_subscriptions (workspace_id)
    WHERE source = 'api' AND status <> 'deleted'`,
  `CREATE INDEX webhook_subscriptions_of_number ON webhook_subscriptions (workspace_id, (number_ids[1]))
    WHERE source = 'number_routing'`,
  `CREATE INDEX webhook_subscriptions_of_others ON webhook_subscriptions (workspace_id)
    WHERE source IS DISTINCT FROM 'number_routing'`
]

export const subscriptionsBySource = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  for (const statement of statements) yield* sql.unsafe(statement)
})
