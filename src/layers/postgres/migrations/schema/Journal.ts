// The journal's own tables, actors without a table of their own, stored answers, and counters that processes share.
export const journal: ReadonlyArray<string> = [
  `CREATE TABLE actors (
    actor_type text COLLATE "C" NOT NULL,
    actor_id text COLLATE "C" NOT NULL,
    workspace_id uuid,
    version int NOT NULL,
    state json NOT NULL,
    PRIMARY KEY (actor_type, actor_id)
  ) WITH (fillfactor = 50)`,
  `CREATE TABLE alarms (
    actor_type text COLLATE "C" NOT NULL,
    actor_id text COLLATE "C" NOT NULL,
    due_at timestamptz NOT NULL,
    PRIMARY KEY (actor_type, actor_id)
  ) WITH (fillfactor = 50)`,
  "CREATE INDEX alarms_due ON alarms (due_at)",
  `CREATE TABLE idempotency_keys (
    workspace_id uuid NOT NULL,
    method text NOT NULL,
    route text NOT NULL,
    key text NOT NULL,
    fingerprint text NOT NULL,
    status int NOT NULL,
    body text NOT NULL,
    headers json NOT NULL,
    created_at timestamptz NOT NULL,
    PRIMARY KEY (workspace_id, method, route, key)
  )`,
  "CREATE INDEX idempotency_keys_age ON idempotency_keys (created_at)",
  `CREATE TABLE journal_batches (
    id uuid PRIMARY KEY,
    status text NOT NULL CONSTRAINT journal_batches_fence CHECK (status IN ('written', 'void')),
    written_at timestamptz NOT NULL
  )`,
  "CREATE INDEX journal_batches_age ON journal_batches (written_at)",
  // Rate-limit counters. `full_at`: when the whole burst is available again.
  `CREATE TABLE shared_counts (
    quota text NOT NULL,
    who text NOT NULL,
    full_at float8 NOT NULL,
    admitted bool NOT NULL,
    PRIMARY KEY (quota, who)
  )`,
  "CREATE INDEX shared_counts_full ON shared_counts (full_at)"
]
