// Workspaces and their API keys.

/** Sandboxes are told by their ids. A migration keeps its own values: it must do the same for ever. */
const sandbox = "id BETWEEN '7e577e57-0000-0000-0000-000000000000' AND '7e577e57-ffff-ffff-ffff-ffffffffffff'"

export const workspaces: ReadonlyArray<string> = [
  // Sandboxes are on the simulated network, and no other workspaces are: a live workspace there would be charged for
  // calls that nobody answers.
  `CREATE TABLE workspaces (
    id uuid PRIMARY KEY,
    name text NOT NULL,
    status text NOT NULL DEFAULT 'active' CHECK (status IN ('onboarding', 'active', 'suspended', 'closed')),
    currency text CHECK (currency IN ('KES', 'UGX', 'TZS', 'RWF', 'ZAR', 'GHS', 'NGN')),
    tenant_pbx_id text NOT NULL UNIQUE,
    gateway_id text NOT NULL,
    voice_secret text NOT NULL,
    calling_policy json NOT NULL DEFAULT '{}',
    created_at timestamptz NOT NULL,
    workspace_id uuid GENERATED ALWAYS AS (id) STORED,
    version int NOT NULL DEFAULT 1,
    state json NOT NULL DEFAULT '{"status_before": null, "sequence": 0, "generation": 0, "members": {}}',
    number_mode text NOT NULL DEFAULT 'unset' CHECK (number_mode IN ('unset', 'platform', 'byoc')),
    retention_days int NOT NULL DEFAULT 90 CHECK (retention_days BETWEEN 1 AND 3650),
    member_ids text[] NOT NULL DEFAULT '{}',
    CONSTRAINT workspaces_network CHECK ((gateway_id = 'sandbox') = (${sandbox}))
  )`,
  "CREATE INDEX workspaces_of_member ON workspaces USING gin (member_ids)",

  `CREATE TABLE api_keys (
    id uuid PRIMARY KEY,
    workspace_id uuid NOT NULL REFERENCES workspaces,
    label text NOT NULL CHECK (label <> ''),
    scopes text[] NOT NULL,
    env text NOT NULL CHECK (env IN ('live', 'test')),
    prefix text NOT NULL,
    created_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL,
    last_used_at timestamptz,
    revoked_at timestamptz,
    version int NOT NULL,
    state json NOT NULL
  )`,
  "CREATE INDEX api_keys_revoked ON api_keys (expires_at) WHERE revoked_at IS NOT NULL",
  "CREATE INDEX api_keys_newest ON api_keys (workspace_id, created_at DESC, id DESC)"
]
