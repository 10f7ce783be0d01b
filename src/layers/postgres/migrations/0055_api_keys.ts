// API keys become actors: existing rows get the state that their actor would have.
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

const milliseconds = (column: string) => `(extract(epoch FROM ${column}) * 1000)::int8`

const statements = [
  `ALTER TABLE api_keys ADD COLUMN version int, ADD COLUMN state json`,
  `UPDATE api_keys SET version = 1, state = json_build_object(
    'facts', json_build_object(
      'workspace_id', workspace_id, 'label', label, 'scopes', scopes, 'env', env, 'allowed_ips', '{}'::text[],
      'created_by', NULL, 'created_at', ${milliseconds("created_at")}, 'expires_at', ${milliseconds("expires_at")}, 'prefix', prefix
    ),
    'revoked_at', ${milliseconds("revoked_at")}
  )`,
  `ALTER TABLE api_keys ALTER COLUMN version SET NOT NULL, ALTER COLUMN state SET NOT NULL`,
  `CREATE INDEX api_keys_newest ON api_keys (workspace_id, created_at DESC, id DESC)`
]

export const apiKeys = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  for (const statement of statements) yield* sql.unsafe(statement)
})
