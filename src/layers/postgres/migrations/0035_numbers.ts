// Numbers become actors: each row carries the state of its number, also when an import inserts the row.
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

const epoch = (column: string): string => `(extract(epoch FROM n.${column}) * 1000)::int8`

const statements = [
  "ALTER TABLE numbers DROP CONSTRAINT numbers_status_check",
  `ALTER TABLE numbers ADD CONSTRAINT numbers_status_check CHECK
    (status IN ('available', 'active', 'past_due', 'suspended', 'released', 'retired', 'removed'))`,
  // A number that its workspace removed can be registered again.
  "ALTER TABLE numbers DROP CONSTRAINT numbers_number_key",
  "CREATE UNIQUE INDEX numbers_by_number ON numbers (number) WHERE status <> 'removed'",
  // `reserved_for`: the workspace that is claiming the number.
  "ALTER TABLE numbers ADD version int NOT NULL DEFAULT 1, ADD state json, ADD reserved_for uuid",
  "DROP INDEX numbers_available",
  "CREATE INDEX numbers_available ON numbers (country, number) WHERE status = 'available' AND reserved_for IS NULL",

  `CREATE FUNCTION number_state(n numbers) RETURNS json LANGUAGE sql STABLE AS $$
    SELECT json_build_object('number', n.number, 'series_id', n.series_id, 'workspace_id', n.workspace_id,
      'status', n.status, 'source', n.source, 'country', n.country, 'type', n.type, 'locality', n.locality,
      'capabilities', n.capabilities, 'label', n.label, 'currency', n.currency,
      'monthly_price_minor', n.monthly_price_minor, 'inbound_per_min_minor', n.inbound_per_min_minor,
      'outbound_per_min_minor', n.outbound_per_min_minor, 'routing', n.routing, 'claimed_at', ${epoch("claimed_at")},
      'renews_at', ${epoch("renews_at")}, 'past_due_since', ${epoch("past_due_since")},
      'released_at', ${epoch("released_at")}) $$`,
  "UPDATE numbers AS n SET state = number_state(n)",
  "ALTER TABLE numbers ALTER state SET NOT NULL",
  `CREATE FUNCTION number_begins() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    NEW.state := number_state(NEW);
    RETURN NEW;
  END $$`,
  // Fills in the state of rows that inventory, seed and imports insert without one.
  `CREATE TRIGGER number_begins BEFORE INSERT ON numbers
    FOR EACH ROW WHEN (NEW.state IS NULL) EXECUTE FUNCTION number_begins()`
]

export const numbers = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  for (const statement of statements) yield* sql.unsafe(statement)
})
