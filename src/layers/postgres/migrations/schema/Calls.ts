// Calls, the indexes and sums by which they are found and counted, conferences and recordings.

const table: ReadonlyArray<string> = [
  `CREATE TABLE calls (
    id uuid PRIMARY KEY,
    workspace_id uuid NOT NULL,
    session_id text NOT NULL,
    parent_call_id uuid,
    number_id uuid,
    version int NOT NULL,
    state json NOT NULL,
    status text NOT NULL
      CHECK (status IN ('ringing', 'answered', 'completed', 'no_answer', 'busy', 'failed', 'canceled')),
    direction text NOT NULL CHECK (direction IN ('outbound', 'inbound')),
    from_e164 text NOT NULL,
    to_e164 text NOT NULL,
    client_reference text,
    created_at timestamptz NOT NULL,
    answered_at timestamptz,
    cost_minor int8,
    country text,
    duration_seconds int,
    billed_seconds int,
    CHECK (status NOT IN ('answered', 'completed') OR answered_at IS NOT NULL),
    CHECK (status NOT IN ('no_answer', 'busy', 'failed', 'canceled')
      OR (answered_at IS NULL AND coalesce(cost_minor, 0) = 0))
  ) WITH (fillfactor = 60)`,
  "CREATE UNIQUE INDEX calls_by_session ON calls (workspace_id, session_id)",
  "CREATE INDEX calls_of_workspace ON calls (workspace_id, created_at DESC, id DESC)",
  "CREATE INDEX calls_of_parent ON calls (parent_call_id) WHERE parent_call_id IS NOT NULL",
  `CREATE INDEX calls_by_reference ON calls (workspace_id, client_reference, created_at DESC, id DESC)
    WHERE client_reference IS NOT NULL`,
  "CREATE INDEX calls_by_destination ON calls (workspace_id, to_e164, created_at DESC, id DESC)"
]

/** Rows for the timeline of a call that are neither events nor money: questions, actions, minutes set aside. */
const trail: ReadonlyArray<string> = [
  `CREATE TABLE call_trail (
    call_id uuid NOT NULL,
    workspace_id uuid NOT NULL,
    key text COLLATE "C" NOT NULL,
    kind text NOT NULL,
    at timestamptz NOT NULL,
    recorded_at timestamptz NOT NULL,
    detail json NOT NULL,
    PRIMARY KEY (call_id, key, recorded_at)
  ) PARTITION BY RANGE (recorded_at)`,
  "CREATE TABLE call_trail_default PARTITION OF call_trail DEFAULT"
]

/**
 * Sums of ended calls, kept up to an instant for each workspace. Statistics of calls placed before it read only the
 * sums. The engine rebuilds the sums from the calls when it starts.
 */
const statistics: ReadonlyArray<string> = [
  `CREATE TABLE call_stats (
    workspace_id uuid NOT NULL,
    day date NOT NULL,
    number_id uuid,
    country text,
    status text NOT NULL,
    direction text NOT NULL,
    calls int NOT NULL,
    answered int NOT NULL,
    duration_seconds int8 NOT NULL,
    billed_seconds int8 NOT NULL,
    cost_minor int8 NOT NULL
  )`,
  `CREATE UNIQUE INDEX call_stats_once ON call_stats
    (workspace_id, day, coalesce(number_id, '00000000-0000-0000-0000-000000000000'), coalesce(country, ''), status, direction)`,
  "CREATE TABLE call_stats_sealed (workspace_id uuid PRIMARY KEY, until timestamptz NOT NULL) WITH (fillfactor = 50)"
]

/**
 * A search index for lists of calls: blocks of calls in list order, and the positions of each value within a block.
 * Blocks are built in the background (CallBlocks.ts), so writes of live calls maintain no extra index.
 */
const blocks: ReadonlyArray<string> = [
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

const conferences: ReadonlyArray<string> = [
  // The actor of a workspace's rooms keeps the name unique among those that have not ended.
  `CREATE TABLE conferences (
    id uuid PRIMARY KEY,
    workspace_id uuid NOT NULL,
    version int4 NOT NULL,
    state json NOT NULL,
    name text NOT NULL,
    status text NOT NULL CHECK (status IN ('waiting', 'in_progress', 'ended')),
    created_at timestamptz NOT NULL
  ) WITH (fillfactor = 70)`,
  "CREATE INDEX conferences_of_workspace ON conferences (workspace_id, created_at DESC, id DESC)"
]

const recordings: ReadonlyArray<string> = [
  // The audio itself is in the recording store.
  `CREATE TABLE recordings (
    id uuid PRIMARY KEY,
    workspace_id uuid NOT NULL,
    version int NOT NULL,
    state json NOT NULL,
    call_id uuid NOT NULL,
    status text NOT NULL CHECK (status IN ('in_progress', 'processing', 'available', 'failed', 'expired', 'deleted')),
    created_at timestamptz NOT NULL,
    size_bytes int8 CHECK (size_bytes > 0),
    CHECK (status <> 'available' OR size_bytes IS NOT NULL)
  ) WITH (fillfactor = 70)`,
  "CREATE INDEX recordings_of_workspace ON recordings (workspace_id, created_at DESC, id DESC)",
  "CREATE INDEX recordings_by_status ON recordings (workspace_id, status, created_at DESC, id DESC)",
  "CREATE INDEX recordings_of_call ON recordings (call_id)",
  "CREATE INDEX recordings_stored ON recordings (workspace_id, created_at, id) INCLUDE (size_bytes) WHERE status = 'available'"
]

export const calls: ReadonlyArray<string> = [
  ...table,
  ...trail,
  ...statistics,
  ...blocks,
  ...conferences,
  ...recordings
]
