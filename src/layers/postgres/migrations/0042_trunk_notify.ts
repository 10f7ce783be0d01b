// Triggers that notify engines when a cached trunk starts or stops serving (see ChangeFeed.ts).
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

const statements = [
  `CREATE FUNCTION sip_trunks_changed() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    PERFORM trunkline_changed('trunk ' || NEW.workspace_id);
    RETURN NULL;
  END $$`,
  `CREATE TRIGGER sip_trunks_changed AFTER INSERT OR UPDATE ON sip_trunks
    FOR EACH ROW EXECUTE FUNCTION sip_trunks_changed()`
]

export const trunkNotify = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  for (const statement of statements) yield* sql.unsafe(statement)
})
