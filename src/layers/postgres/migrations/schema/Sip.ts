// SIP credentials with the devices registered with them, and trunks of workspaces that bring their own numbers.

/** The journal reports an error with this constraint name as a stale decision, which is retried. */
const refused = "USING ERRCODE = 'foreign_key_violation', CONSTRAINT = 'brought_numbers_fence'"

const tables: ReadonlyArray<string> = [
  `CREATE TABLE sip_credentials (
    workspace_id uuid PRIMARY KEY REFERENCES workspaces,
    version int4 NOT NULL,
    state json NOT NULL
  )`,
  `CREATE TABLE sip_registrations (
    workspace_id uuid NOT NULL REFERENCES workspaces,
    credential_id uuid NOT NULL,
    contact text NOT NULL,
    user_agent text,
    transport text,
    registered_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL,
    PRIMARY KEY (workspace_id, credential_id, contact)
  )`,
  `CREATE TABLE sip_trunks (
    workspace_id uuid PRIMARY KEY REFERENCES workspaces,
    trunk_id uuid UNIQUE,
    status text CHECK (status IN ('pending', 'active', 'failed')),
    serving bool NOT NULL,
    version int4 NOT NULL,
    state json NOT NULL
  )`
]

/**
 * A BYO number needs its workspace's trunk. One actor registers the number and another deletes the trunk, perhaps in
 * two processes, so triggers let only one of the two commit.
 */
const fences: ReadonlyArray<string> = [
  // Locks the trunk, so that a concurrent deletion and this registration wait for each other.
  `CREATE FUNCTION brought_number_begins() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    PERFORM FROM sip_trunks WHERE workspace_id = NEW.workspace_id AND trunk_id IS NOT NULL FOR SHARE;
    IF NOT FOUND THEN
      RAISE EXCEPTION 'number % is brought over a trunk that is not there', NEW.id ${refused};
    END IF;
    RETURN NULL;
  END $$`,
  `CREATE TRIGGER brought_number_made AFTER INSERT ON numbers
    FOR EACH ROW WHEN (NEW.source = 'byo' AND NEW.status <> 'removed') EXECUTE FUNCTION brought_number_begins()`,
  `CREATE TRIGGER brought_number_back AFTER UPDATE ON numbers
    FOR EACH ROW WHEN (NEW.source = 'byo' AND NEW.status <> 'removed' AND OLD.status = 'removed')
    EXECUTE FUNCTION brought_number_begins()`,
  `CREATE FUNCTION sip_trunk_ends() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    IF EXISTS (SELECT FROM numbers WHERE workspace_id = OLD.workspace_id AND source = 'byo' AND status <> 'removed') THEN
      RAISE EXCEPTION 'numbers are brought over the trunk of workspace %', OLD.workspace_id ${refused};
    END IF;
    RETURN NULL;
  END $$`,
  `CREATE TRIGGER sip_trunk_ends AFTER UPDATE ON sip_trunks
    FOR EACH ROW WHEN (OLD.trunk_id IS NOT NULL AND NEW.trunk_id IS NULL) EXECUTE FUNCTION sip_trunk_ends()`
]

export const sip: ReadonlyArray<string> = [...tables, ...fences]
