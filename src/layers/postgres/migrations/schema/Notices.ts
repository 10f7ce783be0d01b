// Triggers that notify engines when a cached row changes (see ChangeFeed.ts).

const changed: ReadonlyArray<string> = [
  `CREATE FUNCTION trunkline_changed(what text) RETURNS void LANGUAGE sql
    AS $$ SELECT pg_notify('trunkline_changes', what) $$`
]

const tenants: ReadonlyArray<string> = [
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
    FOR EACH STATEMENT EXECUTE FUNCTION rates_changed()`
]

const access: ReadonlyArray<string> = [
  `CREATE FUNCTION api_key_revoked() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    PERFORM trunkline_changed('revoked ' || NEW.id);
    RETURN NULL;
  END $$`,
  `CREATE TRIGGER api_key_revoked AFTER UPDATE ON api_keys FOR EACH ROW
    WHEN (OLD.revoked_at IS NULL AND NEW.revoked_at IS NOT NULL) EXECUTE FUNCTION api_key_revoked()`,

  `CREATE FUNCTION session_ended() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    PERFORM trunkline_changed('session ' || OLD.token_hash);
    RETURN NULL;
  END $$`,
  `CREATE TRIGGER session_ended AFTER DELETE OR UPDATE OF token_hash ON sessions
    FOR EACH ROW EXECUTE FUNCTION session_ended()`
]

const sip: ReadonlyArray<string> = [
  `CREATE FUNCTION sip_credentials_changed() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    PERFORM trunkline_changed('extensions ' || NEW.workspace_id);
    RETURN NULL;
  END $$`,
  `CREATE TRIGGER sip_credentials_changed AFTER INSERT OR UPDATE ON sip_credentials
    FOR EACH ROW EXECUTE FUNCTION sip_credentials_changed()`,

  `CREATE FUNCTION sip_trunks_changed() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    PERFORM trunkline_changed('trunk ' || NEW.workspace_id);
    RETURN NULL;
  END $$`,
  `CREATE TRIGGER sip_trunks_changed AFTER INSERT OR UPDATE ON sip_trunks
    FOR EACH ROW EXECUTE FUNCTION sip_trunks_changed()`
]

export const notices: ReadonlyArray<string> = [...changed, ...tenants, ...access, ...sip]
