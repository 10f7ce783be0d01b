// Triggers that notify engines when a cached tenant row changes (see ChangeFeed.ts).
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

const statements = [
  `CREATE FUNCTION trunkline_changed(what text) RETURNS void LANGUAGE sql
    AS $$ SELECT pg_notify('trunkline_changes', what) $$`,

  `CREATE FUNCTION workspaces_changed() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    PERFORM trunkline_changed('workspace ' || coalesce(NEW.id, OLD.id));
    IF OLD.tenant_pbx_id IS DISTINCT FROM NEW.tenant_pbx_id THEN
      PERFORM trunkline_changed('pbx ' || OLD.tenant_pbx_id);
      PERFORM trunkline_changed('pbx ' || NEW.tenant_pbx_id);
    END IF;
    RETURN NULL;
  END $$`,
  `CREATE TRIGGER workspaces_changed AFTER INSERT OR UPDATE OR DELETE ON workspaces
    FOR EACH ROW EXECUTE FUNCTION workspaces_changed()`,

  `CREATE FUNCTION numbers_changed() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    PERFORM trunkline_changed('number ' || OLD.workspace_id || ' ' || OLD.number);
    PERFORM trunkline_changed('number ' || NEW.workspace_id || ' ' || NEW.number);
    RETURN NULL;
  END $$`,
  `CREATE TRIGGER numbers_changed AFTER INSERT OR UPDATE OR DELETE ON numbers
    FOR EACH ROW EXECUTE FUNCTION numbers_changed()`,

  `CREATE FUNCTION rates_changed() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    PERFORM trunkline_changed('rates');
    RETURN NULL;
  END $$`,
  `CREATE TRIGGER rates_changed AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON rates
    FOR EACH STATEMENT EXECUTE FUNCTION rates_changed()`,

  `CREATE FUNCTION api_key_revoked() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    PERFORM trunkline_changed('revoked ' || NEW.id);
    RETURN NULL;
  END $$`,
  `CREATE TRIGGER api_key_revoked AFTER UPDATE ON api_keys FOR EACH ROW
    WHEN (OLD.revoked_at IS NULL AND NEW.revoked_at IS NOT NULL) EXECUTE FUNCTION api_key_revoked()`
]

export const directoryNotify = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  for (const statement of statements) yield* sql.unsafe(statement)
})
