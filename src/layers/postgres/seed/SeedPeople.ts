// The people of the demo workspace, and sessions that scripts use to act as them.
import { Clock, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { ownerRights } from "../../../domain/access/Role.ts"
import { session_idle_ms, session_life_ms } from "../../../domain/access/SessionLife.ts"
import { Ids } from "../../../domain/ports/engine/Ids.ts"
import { Tokens } from "../../../domain/ports/access/Tokens.ts"
import { demoWorkspace, idOf } from "./SeedRows.ts"

export const demoOwner = { id: idOf("user", 1), email: "owner@example.com" }
/** A platform operator, in development only. */
export const demoOperator = { id: idOf("user", 2), email: "operator@example.com" }

/**
 * Inserts the people. Writes the owner's membership into the workspace's row as its actor would, with the next version,
 * so that an actor in memory notices and reloads.
 */
export const insertPeople = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const now = yield* Clock.currentTimeMillis
  const created_at = new Date(now)
  const rowOf = (person: typeof demoOwner) => ({ ...person, email_verified_at: created_at, created_at })
  yield* sql`INSERT INTO users ${sql.insert([rowOf(demoOwner), rowOf(demoOperator)])} ON CONFLICT DO NOTHING`
  const { email, id } = demoOwner
  const member = JSON.stringify({ email, ...ownerRights, joined_at: now, generation: 1 })
  yield* sql`
    UPDATE workspaces SET version = version + 1, member_ids = ARRAY[${id}]::text[],
      state = (state::jsonb || jsonb_build_object('generation', 1, 'members', jsonb_build_object(${id}::text, ${member}::text::jsonb)))::json
    WHERE id = ${demoWorkspace.id} AND member_ids = '{}'`
})

/**
 * Returns the token of a session: `previous` while it is valid, or else that of a new session in the demo workspace.
 */
export const sessionFor = Effect.fnUntraced(function* (person: typeof demoOwner, previous: string | null | undefined) {
  const sql = yield* SqlClient.SqlClient
  const tokens = yield* Tokens
  const now = yield* Clock.currentTimeMillis
  if (typeof previous === "string") {
    const valid = yield* sql`
      SELECT FROM sessions WHERE token_hash = ${tokens.hash(previous)} AND user_id = ${person.id}
        AND expires_at > ${new Date(now)} AND last_seen_at > ${new Date(now - session_idle_ms)}`
    if (valid.length > 0) return previous
  }
  const token = tokens.random()
  const at = new Date(now)
  yield* sql`
    INSERT INTO sessions (id, token_hash, user_id, workspace_id, generation, created_at, last_seen_at, expires_at)
    SELECT ${(yield* Ids).uuid()}, ${tokens.hash(token)}, ${person.id}, w.id, (w.state->'members'->${person.id}::text->>'generation')::int,
      ${at}, ${at}, ${new Date(now + session_life_ms)}
    FROM (SELECT) AS one LEFT JOIN workspaces w ON w.member_ids @> ARRAY[${person.id}]::text[]
    ORDER BY w.id = ${demoWorkspace.id} DESC NULLS LAST LIMIT 1`
  return token
})
