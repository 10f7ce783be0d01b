// Ties holds to their calls: a hold knows whether its call is stored, and a captured hold is never opened again.
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

const statements = [
  "ALTER TABLE holds ADD COLUMN used boolean NOT NULL DEFAULT false",
  `CREATE FUNCTION refuse_captured_hold() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    RAISE EXCEPTION 'Hold % is captured and stays so', OLD.id
      USING ERRCODE = 'integrity_constraint_violation', CONSTRAINT = 'holds_captured';
  END $$`,
  `CREATE TRIGGER captured_stays BEFORE UPDATE ON holds FOR EACH ROW
    WHEN (OLD.status = 'captured' AND NEW.status <> 'captured') EXECUTE FUNCTION refuse_captured_hold()`
]

export const holdsInUse = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  for (const statement of statements) yield* sql.unsafe(statement)
})
