// Row-level security (PostgreSQL manual, section 5.9), the second check on tenant isolation. A request's connection
// sees only the rows of its workspace, and no rows when no workspace is set.
import { Effect } from "effect"
import { SqlClient, type SqlError } from "effect/sql"

/** Role of request connections. Owns nothing, writes nothing, cannot log in, cannot bypass the policies. */
export const requestRole = "trunkline_requests"

/** Tables without a workspace that every request may read. */
const sharedTables = ["rates", "number_series", "number_series_prices", "storage_prices", "topup_limits"]

/** Roles belong to the server, so another database may create this role at the same moment. */
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

/**
 * Finds every table with a workspace by its columns. Numbers without a workspace are for sale, so everybody sees them.
 */
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

/**
 * Revokes write grants that somebody added by hand. Append-only tables also have triggers, which hold for every role.
 */
const onlyReads = `DO $$
BEGIN
  EXECUTE format('REVOKE INSERT, UPDATE, DELETE, TRUNCATE, REFERENCES, TRIGGER ON ALL TABLES IN SCHEMA %I FROM ${requestRole}', current_schema());
END $$`

/** Ledger lines have no workspace column. A line is visible if its entry is. */
const ledgerLines = [
  "ALTER TABLE ledger_lines ENABLE ROW LEVEL SECURITY",
  "DROP POLICY IF EXISTS own_workspace ON ledger_lines",
  `CREATE POLICY own_workspace ON ledger_lines FOR SELECT TO ${requestRole}
    USING (EXISTS (SELECT FROM ledger_entries e WHERE e.id = entry_id))`,
  `GRANT SELECT ON ledger_lines TO ${requestRole}`
]

/** Enables row-level security on every table with a workspace. Safe to run again. */
export const secureRows: Effect.Effect<void, SqlError.SqlError, SqlClient.SqlClient> = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql.unsafe(role)
  yield* sql.unsafe(membership)
  yield* sql.unsafe(tenant)
  yield* sql.unsafe(policies)
  yield* sql.unsafe(onlyReads)
  for (const statement of ledgerLines) yield* sql.unsafe(statement)
  for (const table of sharedTables) yield* sql.unsafe(`GRANT SELECT ON ${table} TO ${requestRole}`)
})
