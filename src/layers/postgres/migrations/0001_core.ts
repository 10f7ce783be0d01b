// The first schema: tenants, numbers, money, calls, events, webhooks, and the journal's own tables.
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

const tenants = `
CREATE TABLE workspaces (
  id uuid PRIMARY KEY,
  name text NOT NULL,
  status text NOT NULL DEFAULT 'active' CHECK (status IN ('onboarding', 'active', 'suspended', 'closed')),
  currency text CHECK (currency IN ('KES', 'UGX', 'TZS', 'RWF', 'ZAR', 'GHS', 'NGN')),
  tenant_pbx_id text NOT NULL UNIQUE,
  gateway_id text NOT NULL,
  voice_secret text NOT NULL,
  calling_policy json NOT NULL DEFAULT '{}',
  created_at timestamptz NOT NULL
);
CREATE TABLE api_keys (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL REFERENCES workspaces,
  label text NOT NULL CHECK (label <> ''),
  scopes text[] NOT NULL,
  env text NOT NULL CHECK (env IN ('live', 'test')),
  prefix text NOT NULL,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  last_used_at timestamptz,
  revoked_at timestamptz
);
CREATE INDEX api_keys_revoked ON api_keys (expires_at) WHERE revoked_at IS NOT NULL;
CREATE TABLE number_series (
  id uuid PRIMARY KEY,
  country text NOT NULL,
  prefix text NOT NULL,
  status text NOT NULL CHECK (status IN ('active', 'inactive', 'retired')),
  capabilities text[] NOT NULL,
  created_at timestamptz NOT NULL
);
CREATE TABLE number_series_prices (
  series_id uuid NOT NULL REFERENCES number_series,
  currency text NOT NULL,
  monthly_price_minor int8 NOT NULL CHECK (monthly_price_minor >= 0),
  inbound_per_min_minor int8 NOT NULL CHECK (inbound_per_min_minor >= 0),
  outbound_per_min_minor int8 NOT NULL CHECK (outbound_per_min_minor >= 0),
  PRIMARY KEY (series_id, currency)
);
CREATE TABLE numbers (
  id uuid PRIMARY KEY,
  series_id uuid REFERENCES number_series,
  workspace_id uuid REFERENCES workspaces,
  number text NOT NULL UNIQUE,
  status text NOT NULL CHECK (status IN ('available', 'active', 'past_due', 'suspended', 'released', 'retired')),
  source text NOT NULL CHECK (source IN ('platform', 'byo')),
  country text NOT NULL,
  type text NOT NULL CHECK (type IN ('mobile', 'local', 'national', 'toll_free')),
  locality text,
  capabilities text[] NOT NULL,
  label text,
  currency text,
  monthly_price_minor int8,
  inbound_per_min_minor int8,
  outbound_per_min_minor int8,
  routing json NOT NULL DEFAULT '{}',
  claimed_at timestamptz,
  renews_at timestamptz,
  past_due_since timestamptz,
  released_at timestamptz,
  CHECK ((status IN ('active', 'past_due', 'suspended')) <= (workspace_id IS NOT NULL))
);
CREATE INDEX numbers_of_workspace ON numbers (workspace_id, claimed_at, id) WHERE workspace_id IS NOT NULL;
CREATE INDEX numbers_available ON numbers (country, number) WHERE status = 'available';
CREATE TABLE rates (
  id uuid PRIMARY KEY,
  currency text NOT NULL,
  direction text NOT NULL CHECK (direction IN ('outbound', 'inbound')),
  prefix text NOT NULL CHECK (prefix ~ '^[0-9]{1,15}$'),
  country text,
  description text NOT NULL,
  per_min_minor int8 NOT NULL CHECK (per_min_minor >= 0),
  class text NOT NULL DEFAULT 'normal' CHECK (class IN ('normal', 'high_risk', 'premium', 'blocked', 'byo')),
  effective_from timestamptz NOT NULL,
  effective_to timestamptz
);
CREATE INDEX rates_by_prefix ON rates (currency, direction, prefix)`

const money = `
CREATE TABLE wallets (
  workspace_id uuid PRIMARY KEY,
  version int NOT NULL,
  state json NOT NULL,
  currency text NOT NULL,
  balance_minor int8 NOT NULL,
  held_minor int8 NOT NULL CHECK (held_minor >= 0),
  low_balance_threshold_minor int8 NOT NULL CHECK (low_balance_threshold_minor >= 0),
  updated_at timestamptz NOT NULL
) WITH (fillfactor = 50);
CREATE TABLE holds (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL,
  call_id uuid NOT NULL,
  amount_minor int8 NOT NULL CHECK (amount_minor >= 0),
  status text NOT NULL CHECK (status IN ('open', 'captured', 'released')),
  captured_minor int8 NOT NULL CHECK (captured_minor BETWEEN 0 AND amount_minor),
  placed_at timestamptz NOT NULL,
  closed_at timestamptz,
  CHECK ((status = 'open') = (closed_at IS NULL))
) WITH (fillfactor = 70);
CREATE INDEX holds_open ON holds (workspace_id) WHERE status = 'open';
CREATE INDEX holds_of_call ON holds (call_id);
CREATE TABLE ledger_entries (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL,
  kind text NOT NULL,
  amount_minor int8 NOT NULL,
  balance_after_minor int8 NOT NULL,
  currency text NOT NULL,
  reference_type text NOT NULL,
  reference_id text NOT NULL,
  description text NOT NULL,
  created_at timestamptz NOT NULL,
  actor json NOT NULL,
  metadata json NOT NULL
);
CREATE UNIQUE INDEX ledger_entries_call_charge ON ledger_entries (reference_id) WHERE kind = 'call_charge';
CREATE INDEX ledger_entries_of_workspace ON ledger_entries (workspace_id, created_at DESC, id DESC);
CREATE TABLE ledger_lines (
  entry_id uuid NOT NULL,
  account text NOT NULL,
  amount_minor int8 NOT NULL,
  PRIMARY KEY (entry_id, account)
)`

const calls = `
CREATE TABLE calls (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL,
  session_id text NOT NULL,
  parent_call_id uuid,
  number_id uuid,
  version int NOT NULL,
  state json NOT NULL,
  status text NOT NULL CHECK (status IN ('ringing', 'answered', 'completed', 'no_answer', 'busy', 'failed', 'canceled')),
  direction text NOT NULL CHECK (direction IN ('outbound', 'inbound')),
  from_e164 text NOT NULL,
  to_e164 text NOT NULL,
  client_reference text,
  created_at timestamptz NOT NULL,
  answered_at timestamptz,
  cost_minor int8,
  CHECK (status NOT IN ('answered', 'completed') OR answered_at IS NOT NULL),
  CHECK (status NOT IN ('no_answer', 'busy', 'failed', 'canceled') OR (answered_at IS NULL AND coalesce(cost_minor, 0) = 0))
) WITH (fillfactor = 60);
CREATE UNIQUE INDEX calls_by_session ON calls (workspace_id, session_id);
CREATE INDEX calls_of_workspace ON calls (workspace_id, created_at DESC, id DESC);
CREATE INDEX calls_of_parent ON calls (parent_call_id) WHERE parent_call_id IS NOT NULL;
CREATE TABLE events (
  id uuid NOT NULL,
  workspace_id uuid NOT NULL,
  subject_id uuid NOT NULL,
  sequence int NOT NULL,
  kind text NOT NULL,
  occurred_at timestamptz NOT NULL,
  recorded_at timestamptz NOT NULL,
  late boolean NOT NULL,
  payload json NOT NULL,
  PRIMARY KEY (subject_id, sequence, recorded_at)
) PARTITION BY RANGE (recorded_at);
CREATE TABLE events_default PARTITION OF events DEFAULT`

const webhooks = `
CREATE TABLE webhook_subscriptions (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL,
  version int NOT NULL,
  state json NOT NULL,
  status text NOT NULL CHECK (status IN ('active', 'paused', 'disabled', 'deleted')),
  kinds text[] NOT NULL,
  number_ids text[] NOT NULL,
  created_at timestamptz NOT NULL
) WITH (fillfactor = 50);
CREATE INDEX webhook_subscriptions_active ON webhook_subscriptions (workspace_id) WHERE status = 'active';
CREATE INDEX webhook_subscriptions_of_workspace ON webhook_subscriptions (workspace_id, created_at DESC, id DESC);
CREATE TABLE deliveries (
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
) PARTITION BY RANGE (created_at);
CREATE TABLE deliveries_default PARTITION OF deliveries DEFAULT;
CREATE INDEX deliveries_due ON deliveries (subscription_id, next_attempt_at) WHERE status IN ('pending', 'in_flight', 'retrying');
CREATE INDEX deliveries_of_subscription ON deliveries (subscription_id, created_at DESC, id DESC)`

const journal = `
CREATE TABLE actors (
  actor_type text COLLATE "C" NOT NULL,
  actor_id text COLLATE "C" NOT NULL,
  workspace_id uuid,
  version int NOT NULL,
  state json NOT NULL,
  PRIMARY KEY (actor_type, actor_id)
) WITH (fillfactor = 50);
CREATE TABLE alarms (
  actor_type text COLLATE "C" NOT NULL,
  actor_id text COLLATE "C" NOT NULL,
  due_at timestamptz NOT NULL,
  PRIMARY KEY (actor_type, actor_id)
) WITH (fillfactor = 50);
CREATE INDEX alarms_due ON alarms (due_at);
CREATE TABLE idempotency_keys (
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
);
CREATE INDEX idempotency_keys_age ON idempotency_keys (created_at);
CREATE TABLE journal_batches (
  id uuid PRIMARY KEY,
  status text NOT NULL CONSTRAINT journal_batches_fence CHECK (status IN ('written', 'void')),
  written_at timestamptz NOT NULL
);
CREATE INDEX journal_batches_age ON journal_batches (written_at)`

export const core = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  for (const part of [tenants, money, calls, webhooks, journal]) {
    for (const statement of part.split(";")) yield* sql.unsafe(statement)
  }
})
