// A hold says how many legs it is for. What wallets stored of the open ones is taken over when they are read.
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export const holdLegs = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  // A constant default is kept in the catalogue, so no row is written.
  yield* sql`ALTER TABLE holds ADD COLUMN legs int NOT NULL DEFAULT 1, ADD COLUMN high_risk_legs int NOT NULL DEFAULT 0`
})
