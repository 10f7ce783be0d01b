// Events, webhook subscriptions and the deliveries of events to them.
export const events: ReadonlyArray<string> = [
  // `txid`: the order in which a workspace's events are told by its live stream. Times cannot give it: two transactions
  // may commit in the other order than they began. Ids of transactions can: below the oldest transaction that still
  // runs, nothing is added any more.
  `CREATE TABLE events (
    id uuid NOT NULL,
    workspace_id uuid NOT NULL,
    subject_id uuid NOT NULL,
    sequence int NOT NULL,
    kind text NOT NULL,
    occurred_at timestamptz NOT NULL,
    recorded_at timestamptz NOT NULL,
    late boolean NOT NULL,
    payload json NOT NULL,
    txid xid8 DEFAULT pg_current_xact_id(),
    PRIMARY KEY (subject_id, sequence, recorded_at)
  ) PARTITION BY RANGE (recorded_at)`,
  "CREATE TABLE events_default PARTITION OF events DEFAULT",
  "CREATE INDEX events_in_order ON events (workspace_id, txid, sequence, id)",

  `CREATE TABLE webhook_subscriptions (
    id uuid PRIMARY KEY,
    workspace_id uuid NOT NULL,
    version int NOT NULL,
    state json NOT NULL,
    status text NOT NULL CHECK (status IN ('active', 'paused', 'disabled', 'deleted')),
    kinds text[] NOT NULL,
    number_ids text[] NOT NULL,
    created_at timestamptz NOT NULL
  ) WITH (fillfactor = 50)`,
  "CREATE INDEX webhook_subscriptions_active ON webhook_subscriptions (workspace_id) WHERE status = 'active'",
  "CREATE INDEX webhook_subscriptions_of_workspace ON webhook_subscriptions (workspace_id, created_at DESC, id DESC)",

  `CREATE TABLE deliveries (
    id uuid NOT NULL,
    workspace_id uuid NOT NULL,
    subscription_id uuid NOT NULL,
    event_id uuid NOT NULL,
    event_kind text NOT NULL,
    subject_id uuid NOT NULL,
    sequence int NOT NULL,
    status text NOT NULL CHECK (status IN ('pending', 'in_flight', 'retrying', 'succeeded', 'dead_letter', 'blocked')),
    attempts int NOT NULL,
    next_attempt_at timestamptz,
    created_at timestamptz NOT NULL,
    finished_at timestamptz,
    last_error json,
    attempt_log json NOT NULL,
    PRIMARY KEY (id, created_at)
  ) PARTITION BY RANGE (created_at)`,
  "CREATE TABLE deliveries_default PARTITION OF deliveries DEFAULT",
  `CREATE INDEX deliveries_due ON deliveries (subscription_id, next_attempt_at)
    WHERE status IN ('pending', 'in_flight', 'retrying')`,
  "CREATE INDEX deliveries_of_subscription ON deliveries (subscription_id, created_at DESC, id DESC)",
  "CREATE INDEX deliveries_by_kind ON deliveries (subscription_id, event_kind, status, created_at DESC, id DESC)",
  // A replay does not scan successful deliveries.
  "CREATE INDEX deliveries_dead ON deliveries (subscription_id, created_at) WHERE status = 'dead_letter'"
]
