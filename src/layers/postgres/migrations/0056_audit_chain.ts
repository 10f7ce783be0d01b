// The audit log becomes a hash chain for each workspace: an entry holds the hash of the entry before it.
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** Rows younger than this cannot be deleted. The sweeper deletes older ones (Partitions.ts). */
const kept = "interval '400 days'"

const statements = [
  `ALTER TABLE audit_entries
    ALTER COLUMN sequence DROP IDENTITY,
    DROP CONSTRAINT audit_entries_sequence_key,
    ADD COLUMN prev_hash bytea,
    ADD COLUMN hash bytea`,

  // The hash covers the previous hash and every column. They form a JSON array, so that values cannot be confused.
  `CREATE FUNCTION audit_hash(prev_hash bytea, entry audit_entries) RETURNS bytea LANGUAGE sql IMMUTABLE AS $$
    SELECT sha256(prev_hash || convert_to(json_build_array(
      entry.id, entry.workspace_id, entry.sequence, entry.action_kind, entry.actor::text, entry.target_type, entry.target_id,
      entry.ip, entry.user_agent, entry.request_id, entry.before::text, entry.after::text,
      (extract(epoch FROM entry.created_at) * 1000000)::int8
    )::text, 'UTF8'))
  $$`,

  // A writer locks the chain of a workspace until it commits. Rows are inserted in order of workspace, so that two
  // writers of several chains cannot deadlock.
  `CREATE FUNCTION audit_chain() RETURNS trigger LANGUAGE plpgsql AS $$
  DECLARE
    last record;
  BEGIN
    PERFORM pg_advisory_xact_lock(1635083369, hashtext(NEW.workspace_id::text));
    SELECT sequence, hash INTO last FROM audit_entries
      WHERE workspace_id = NEW.workspace_id ORDER BY sequence DESC LIMIT 1;
    NEW.sequence := coalesce(last.sequence, 0) + 1;
    NEW.prev_hash := coalesce(last.hash, ''::bytea);
    NEW.hash := audit_hash(NEW.prev_hash, NEW);
    RETURN NEW;
  END $$`,

  `CREATE TEMPORARY TABLE audit_before ON COMMIT DROP AS SELECT * FROM audit_entries`,
  `DELETE FROM audit_entries`,
  `ALTER TABLE audit_entries
    ALTER COLUMN prev_hash SET NOT NULL,
    ALTER COLUMN hash SET NOT NULL,
    ADD CONSTRAINT audit_entries_chain UNIQUE (workspace_id, sequence)`,
  `CREATE TRIGGER audit_chain BEFORE INSERT ON audit_entries FOR EACH ROW EXECUTE FUNCTION audit_chain()`,
  `INSERT INTO audit_entries (id, workspace_id, action_kind, actor, target_type, target_id, ip, user_agent, request_id, before, after, created_at)
    SELECT id, workspace_id, action_kind, actor, target_type, target_id, ip, user_agent, request_id, before, after, created_at
    FROM audit_before ORDER BY workspace_id, sequence`,

  `CREATE FUNCTION audit_untouched() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    IF TG_OP = 'DELETE' AND OLD.created_at < now() - ${kept} THEN
      RETURN OLD;
    END IF;
    RAISE EXCEPTION 'the audit log is append-only' USING ERRCODE = 'insufficient_privilege';
  END $$`,
  `CREATE TRIGGER audit_untouched BEFORE UPDATE OR DELETE ON audit_entries FOR EACH ROW EXECUTE FUNCTION audit_untouched()`,
  `CREATE TRIGGER audit_not_emptied BEFORE TRUNCATE ON audit_entries FOR EACH STATEMENT EXECUTE FUNCTION audit_untouched()`
]

export const auditChain = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  for (const statement of statements) yield* sql.unsafe(statement)
})
