// A brought number needs its workspace's trunk. Who registers one and who deletes the trunk in the same instant are two
// owners, in two processes perhaps: the database lets one of them have it. What stands already is not looked at again.
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** The name makes the journal answer that the decision was out of date. */
const refused = "USING ERRCODE = 'foreign_key_violation', CONSTRAINT = 'brought_numbers_fence'"

const statements = [
  // Locked, so that a deletion that is under way is waited for, and one that comes after waits for this.
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

export const broughtNumbers = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  for (const statement of statements) yield* sql.unsafe(statement)
})
