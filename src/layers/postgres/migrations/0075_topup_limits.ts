// Limits of a single top-up by currency. Operators set them; these are the initial values.
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

const limits = `
CREATE TABLE topup_limits (
  currency text PRIMARY KEY CHECK (currency IN ('KES', 'UGX', 'TZS', 'RWF', 'ZAR', 'GHS', 'NGN')),
  minimum_minor int8 NOT NULL CHECK (minimum_minor > 0),
  maximum_minor int8 NOT NULL CHECK (maximum_minor >= minimum_minor)
);
INSERT INTO topup_limits (currency, minimum_minor, maximum_minor) VALUES
  ('KES', 10000, 25000000),
  ('UGX', 300000, 300000000),
  ('TZS', 200000, 200000000),
  ('RWF', 100000, 100000000),
  ('ZAR', 2000, 2000000),
  ('GHS', 1000, 1000000),
  ('NGN', 100000, 100000000)`

export const topUpLimits = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  for (const statement of limits.split(";")) yield* sql.unsafe(statement)
})
