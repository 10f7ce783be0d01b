// Sandboxes are on the simulated network, and no other workspaces are. The rules of a workspace say so; the database
// now refuses anything else, such as a row that is mended by hand. A live workspace on the simulated network would be
// charged for calls that nobody answers.
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

// A migration keeps its own values: it must do the same for ever.
const sandbox = "id BETWEEN '7e577e57-0000-0000-0000-000000000000' AND '7e577e57-ffff-ffff-ffff-ffffffffffff'"

const statements = [
  `UPDATE workspaces SET gateway_id = 'sandbox' WHERE gateway_id <> 'sandbox' AND ${sandbox}`,
  // No gateway connects under this id, so its calls are refused until an operator assigns the workspace to its PBX.
  `UPDATE workspaces SET gateway_id = 'unassigned' WHERE gateway_id = 'sandbox' AND NOT (${sandbox})`,
  `ALTER TABLE workspaces ADD CONSTRAINT workspaces_network CHECK ((gateway_id = 'sandbox') = (${sandbox}))`
]

export const sandboxNetwork = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  for (const statement of statements) yield* sql.unsafe(statement)
})
