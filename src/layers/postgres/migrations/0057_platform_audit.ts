// Platform-wide operator actions belong to no workspace. They get a hash chain of their own.
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

const statements = [
  `ALTER TABLE audit_entries ALTER COLUMN workspace_id DROP NOT NULL, DROP CONSTRAINT audit_entries_chain`,
  `CREATE UNIQUE INDEX audit_entries_chain
    ON audit_entries (coalesce(workspace_id, '00000000-0000-0000-0000-000000000000'), sequence)`,
  `CREATE OR REPLACE FUNCTION audit_chain() RETURNS trigger LANGUAGE plpgsql AS $$
  DECLARE
    chain uuid := coalesce(NEW.workspace_id, '00000000-0000-0000-0000-000000000000');
    last record;
  BEGIN
    PERFORM pg_advisory_xact_lock(1635083369, hashtext(chain::text));
    SELECT sequence, hash INTO last FROM audit_entries
      WHERE coalesce(workspace_id, '00000000-0000-0000-0000-000000000000') = chain ORDER BY sequence DESC LIMIT 1;
    NEW.sequence := coalesce(last.sequence, 0) + 1;
    NEW.prev_hash := coalesce(last.hash, ''::bytea);
    NEW.hash := audit_hash(NEW.prev_hash, NEW);
    RETURN NEW;
  END $$`,
  `CREATE UNIQUE INDEX rates_once ON rates (currency, direction, prefix, effective_from)`
]

export const platformAudit = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  for (const statement of statements) yield* sql.unsafe(statement)
})
