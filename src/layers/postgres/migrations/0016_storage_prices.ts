// Monthly prices of recording storage by size. Operators set them; the prices in KES are seeded here.
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

const prices = `
CREATE TABLE storage_prices (
  currency text NOT NULL CHECK (currency IN ('KES', 'UGX', 'TZS', 'RWF', 'ZAR', 'GHS', 'NGN')),
  tier_mb int NOT NULL CHECK (tier_mb > 100),
  monthly_price_minor int8 NOT NULL CHECK (monthly_price_minor >= 0),
  PRIMARY KEY (currency, tier_mb)
);
INSERT INTO storage_prices (currency, tier_mb, monthly_price_minor) VALUES
  ('KES', 1024, 59900),
  ('KES', 4096, 149900),
  ('KES', 5120, 174900),
  ('KES', 10240, 299900),
  ('KES', 25600, 649900),
  ('KES', 51200, 1149900),
  ('KES', 102400, 1999900),
  ('KES', 256000, 4499900)`

export const storagePrices = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  for (const statement of prices.split(";")) yield* sql.unsafe(statement)
})
