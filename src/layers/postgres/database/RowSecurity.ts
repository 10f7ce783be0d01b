// Row-level security (PostgreSQL manual, section 5.9), the second check on tenant isolation. A request's connection
// sees only the rows of its workspace, and no rows when no workspace is set.
import { Effect } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { conditionOf, type TableAccess, tables } from "./Tables.ts"

/** Role of request connections. Owns nothing, writes nothing, cannot log in, cannot bypass the policies. */
export const requestRole = "trunkline_requests"

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

/** The statements that let requests read of a table what `tables` says. */
const securing = ([table, access]: readonly [string, TableAccess]): ReadonlyArray<string> => {
  const condition = conditionOf(access)
  const grant =
    access === "engine" ? `REVOKE ALL ON ${table} FROM ${requestRole}` : `GRANT SELECT ON ${table} TO ${requestRole}`
  if (condition === undefined) return [grant]
  return [
    `ALTER TABLE ${table} ENABLE ROW LEVEL SECURITY`,
    `DROP POLICY IF EXISTS own_workspace ON ${table}`,
    `CREATE POLICY own_workspace ON ${table} FOR SELECT TO ${requestRole} USING (${condition})`,
    grant
  ]
}

const policies = `DO $$ BEGIN ${Object.entries(tables).flatMap(securing).join(";\n")}; END $$`

/**
 * Revokes write grants that somebody added by hand. Append-only tables also have triggers, which hold for every role.
 */
const onlyReads = `DO $$
BEGIN
  EXECUTE format('REVOKE INSERT, UPDATE, DELETE, TRUNCATE, REFERENCES, TRIGGER ON ALL TABLES IN SCHEMA %I FROM ${requestRole}', current_schema());
END $$`

/** Enables row-level security on every table with a workspace. Safe to run again. */
export const secureRows: Effect.Effect<void, SqlError.SqlError, SqlClient.SqlClient> = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql.unsafe(role)
  yield* sql.unsafe(membership)
  yield* sql.unsafe(tenant)
  yield* sql.unsafe(policies)
  yield* sql.unsafe(onlyReads)
})
