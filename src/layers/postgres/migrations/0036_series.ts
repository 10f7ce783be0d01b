// A series records its numbers and its provider.
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

const statements = [
  `CREATE TABLE number_providers (
    id uuid PRIMARY KEY,
    name text NOT NULL,
    status text NOT NULL CHECK (status IN ('active', 'retired')),
    host text NOT NULL,
    port int NOT NULL CHECK (port BETWEEN 1 AND 65535),
    transport text NOT NULL CHECK (transport IN ('udp', 'tcp', 'tls')),
    username text,
    password text,
    max_channels int NOT NULL,
    max_cps int NOT NULL,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL
  )`,
  `ALTER TABLE number_series
    ADD provider_id uuid REFERENCES number_providers,
    ADD start_suffix int NOT NULL DEFAULT 0,
    ADD end_suffix int NOT NULL DEFAULT 9999,
    ADD suffix_length int NOT NULL DEFAULT 5,
    ADD type text NOT NULL DEFAULT 'local' CHECK (type IN ('mobile', 'local', 'national', 'toll_free')),
    ADD locality text,
    ADD CHECK (end_suffix > start_suffix AND end_suffix - start_suffix < 10000)`,
  // Generated ranges, so that a repeated request differs from a collision.
  `CREATE TABLE number_generations (
    series_id uuid NOT NULL REFERENCES number_series,
    start_suffix int NOT NULL,
    end_suffix int NOT NULL,
    generated_at timestamptz NOT NULL,
    PRIMARY KEY (series_id, start_suffix, end_suffix)
  )`
]

export const series = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  for (const statement of statements) yield* sql.unsafe(statement)
})
