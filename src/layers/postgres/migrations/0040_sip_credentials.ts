// SIP credentials, one row for each workspace, and the devices registered with them.
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

const statements = [
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
  `CREATE FUNCTION sip_credentials_changed() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    PERFORM trunkline_changed('extensions ' || NEW.workspace_id);
    RETURN NULL;
  END $$`,
  `CREATE TRIGGER sip_credentials_changed AFTER INSERT OR UPDATE ON sip_credentials
    FOR EACH ROW EXECUTE FUNCTION sip_credentials_changed()`
]

export const sipCredentials = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  for (const statement of statements) yield* sql.unsafe(statement)
})
