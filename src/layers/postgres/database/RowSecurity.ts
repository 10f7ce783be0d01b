// The second wall between tenants (PostgreSQL manual, 5.9). Whoever serves a request sees the rows of its workspace alone,
// and without a workspace none at all.
import { Effect } from "effect"
import { SqlClient, type SqlError } from "effect/sql"

/** Owns nothing, writes nothing, cannot log in and cannot bypass the policies. */
export const requestRole = "trunkline_requests"

/** What belongs to no workspace and is everybody's to read. */
const common = ["rates", "number_series", "number_series_prices", "storage_prices", "topup_limits"]

/** Roles are the server's and not the database's: another database of it may make the role in the same moment. */
const role = `DO $$
BEGIN
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = '${requestRole}') THEN
    CREATE ROLE ${requestRole} NOLOGIN NOBYPASSRLS;
  END IF;
EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL;
END $$`

const membership = `DO $$
BEGIN
  IF NOT pg_has_role(current_user, '${requestRole}', 'MEMBER') THEN
    EXECUTE format('GRANT ${requestRole} TO %I', current_user);
  END IF;
END $$`

const tenant = `CREATE OR REPLACE FUNCTION current_workspace() RETURNS uuid LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT nullif(current_setting('trunkline.workspace_id', true), '')::uuid
$$`

/** Every table that has a workspace, whichever migration made it. Numbers of nobody are in the shop window. */
const policies = `DO $$
DECLARE
  tenants record;
  own text;
BEGIN
  FOR tenants IN
    SELECT c.relname AS name,
      CASE c.relname WHEN 'workspaces' THEN 'id' ELSE 'workspace_id' END AS workspace
    FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace AND n.nspname = current_schema()
    WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition AND (c.relname = 'workspaces' OR EXISTS (
      SELECT FROM pg_attribute a
      WHERE a.attrelid = c.oid AND a.attname = 'workspace_id' AND a.atttypid = 'uuid'::regtype AND NOT a.attisdropped
    ))
  LOOP
    own := format('%I = current_workspace()', tenants.workspace);
    IF tenants.name = 'numbers' THEN
      own := own || ' OR workspace_id IS NULL';
    END IF;
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', tenants.name);
    EXECUTE format('DROP POLICY IF EXISTS own_workspace ON %I', tenants.name);
    EXECUTE format('CREATE POLICY own_workspace ON %I FOR SELECT TO ${requestRole} USING (%s)', tenants.name, own);
    EXECUTE format('GRANT SELECT ON %I TO ${requestRole}', tenants.name);
  END LOOP;
END $$`

/** Whatever somebody has granted it by hand. Append-only tables have triggers besides, which hold for everybody. */
const onlyReads = `DO $$
BEGIN
  EXECUTE format('REVOKE INSERT, UPDATE, DELETE, TRUNCATE, REFERENCES, TRIGGER ON ALL TABLES IN SCHEMA %I FROM ${requestRole}', current_schema());
END $$`

/** Lines of the books have no workspace of their own: they are seen with their entry. */
const lines = [
  "ALTER TABLE ledger_lines ENABLE ROW LEVEL SECURITY",
  "DROP POLICY IF EXISTS own_workspace ON ledger_lines",
  `CREATE POLICY own_workspace ON ledger_lines FOR SELECT TO ${requestRole}
    USING (EXISTS (SELECT FROM ledger_entries e WHERE e.id = entry_id))`,
  `GRANT SELECT ON ledger_lines TO ${requestRole}`
]

/** Brings every table behind the wall. It changes nothing where they are. */
export const secureRows: Effect.Effect<void, SqlError.SqlError, SqlClient.SqlClient> = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql.unsafe(role)
  yield* sql.unsafe(membership)
  yield* sql.unsafe(tenant)
  yield* sql.unsafe(policies)
  yield* sql.unsafe(onlyReads)
  for (const statement of lines) yield* sql.unsafe(statement)
  for (const table of common) yield* sql.unsafe(`GRANT SELECT ON ${table} TO ${requestRole}`)
})
