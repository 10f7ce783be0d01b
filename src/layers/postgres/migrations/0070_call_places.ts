// A search index for lists of calls: blocks of calls in list order, and the positions of each value within a block.
// Blocks are built in the background (CallBlocks.ts), so writes of live calls maintain no extra index.
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

const statements = [
  // A block holds the calls placed after the previous block, up to `until`. The ids (16 bytes each) and instants (8
  // bytes each) are stored out of line and uncompressed, so that one of them can be read alone. Calls that were live
  // (`open`) or arrived while the block was built (`late`) are checked one by one.
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
