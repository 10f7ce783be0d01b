// By which values calls are found, however rare they are: blocks of calls in order, and where in a block each value stands.
// Blocks are made in the background of calls that stand still (CallBlocks.ts). A call itself has no index for it, so that what
// is written while it is under way stays as cheap as it is.
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

const statements = [
  // A block holds what was placed after the one before it, up to `until`. The ids, 16 bytes each, and the instants, 8,
  // lie beside the row and uncompressed, so that one can be read by itself. Looked at one by one: calls that were under way (`open`) and
  // those that came when the block was made (`late`).
  `CREATE TABLE call_blocks (
    workspace_id uuid NOT NULL,
    block int NOT NULL,
    after_at timestamptz NOT NULL,
    after_id uuid NOT NULL,
    until_at timestamptz NOT NULL,
    until_id uuid NOT NULL,
    ids bytea NOT NULL,
    instants bytea NOT NULL,
    open uuid[] NOT NULL,
    late uuid[] NOT NULL DEFAULT '{}',
    checked boolean NOT NULL DEFAULT false,
    PRIMARY KEY (workspace_id, block)
  ) WITH (fillfactor = 70)`,
  "ALTER TABLE call_blocks ALTER COLUMN ids SET STORAGE EXTERNAL, ALTER COLUMN instants SET STORAGE EXTERNAL",
  "CREATE INDEX call_blocks_in_order ON call_blocks (workspace_id, after_at, block)",
  "CREATE INDEX call_blocks_apart ON call_blocks (workspace_id, block) WHERE open <> '{}' OR late <> '{}'",
  "CREATE INDEX call_blocks_unchecked ON call_blocks (until_at) WHERE NOT checked",
  `CREATE TABLE call_places (
    workspace_id uuid NOT NULL,
    kind smallint NOT NULL,
    value uuid NOT NULL,
    block int NOT NULL,
    places bytea NOT NULL,
    PRIMARY KEY (workspace_id, kind, value, block)
  )`
]

export const callPlaces = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  for (const statement of statements) yield* sql.unsafe(statement)
})
