// The audit log: who did what to a workspace. It is a hash chain for each workspace, and one for what operators do to
// the platform: an entry holds the hash of the entry before it.

/** Rows younger than this cannot be deleted. The sweeper deletes older ones (Partitions.ts). */
const kept = "interval '400 days'"

const table: ReadonlyArray<string> = [
  // The request role cannot use expression indexes (row security), so `actor_id` is a column.
  `CREATE TABLE audit_entries (
    id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    sequence int8 NOT NULL,
    workspace_id uuid REFERENCES workspaces,
    action_kind text NOT NULL,
    actor json NOT NULL,
    target_type text NOT NULL,
    target_id text NOT NULL,
    ip text,
    user_agent text,
    request_id text,
    before json,
    after json,
    created_at timestamptz NOT NULL,
    prev_hash bytea NOT NULL,
    hash bytea NOT NULL,
    actor_id text GENERATED ALWAYS AS (actor ->> 'id') STORED
  )`,
  `CREATE UNIQUE INDEX audit_entries_chain
    ON audit_entries (coalesce(workspace_id, '00000000-0000-0000-0000-000000000000'), sequence)`,
  "CREATE INDEX audit_entries_newest ON audit_entries (workspace_id, created_at DESC, id DESC)",
  "CREATE INDEX audit_entries_by_kind ON audit_entries (workspace_id, action_kind, created_at DESC, id DESC)",
  "CREATE INDEX audit_entries_by_actor ON audit_entries (workspace_id, actor_id, action_kind, created_at DESC, id DESC)",
  "CREATE INDEX audit_entries_by_target ON audit_entries (workspace_id, target_id, action_kind, created_at DESC, id DESC)"
]

const chain: ReadonlyArray<string> = [
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
  `CREATE TRIGGER audit_chain BEFORE INSERT ON audit_entries FOR EACH ROW EXECUTE FUNCTION audit_chain()`,
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

export const audit: ReadonlyArray<string> = [...table, ...chain]
