// SIP trunks of workspaces that bring their own numbers, at most one for each workspace.
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export const sipTrunks = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE sip_trunks (
      workspace_id uuid PRIMARY KEY REFERENCES workspaces,
      trunk_id uuid UNIQUE,
      status text CHECK (status IN ('pending', 'active', 'failed')),
      serving bool NOT NULL,
      version int4 NOT NULL,
      state json NOT NULL
    )`
})
