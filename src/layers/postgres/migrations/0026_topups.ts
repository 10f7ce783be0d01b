// Top-ups, incoming payments, and the account references that payers type in.
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

const tables = `
CREATE TABLE topups (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL,
  version int NOT NULL,
  state json NOT NULL,
  provider text NOT NULL CHECK (provider IN ('mobilemoney', 'card', 'manual')),
  status text NOT NULL CHECK (status IN ('pending', 'succeeded', 'failed', 'expired', 'reversed')),
  amount_minor int8 NOT NULL CHECK (amount_minor > 0),
  provider_reference text,
  credited_minor int8,
  created_at timestamptz NOT NULL,
  CHECK ((status IN ('succeeded', 'reversed')) = (credited_minor IS NOT NULL))
);
CREATE INDEX topups_of_workspace ON topups (workspace_id, created_at DESC, id DESC);
CREATE INDEX topups_unpaid ON topups (workspace_id, amount_minor, created_at) WHERE status IN ('pending', 'expired');
CREATE UNIQUE INDEX topups_by_receipt ON topups ((provider = 'card'), provider_reference) WHERE provider_reference IS NOT NULL;
CREATE TABLE payins (
  receipt text PRIMARY KEY,
  workspace_id uuid,
  version int NOT NULL,
  state json NOT NULL,
  standing text NOT NULL CHECK (standing IN ('matching', 'suspense', 'released', 'settled')),
  amount_minor int8 NOT NULL CHECK (amount_minor > 0),
  account_ref text,
  topup_id uuid,
  paid_at timestamptz NOT NULL
);
CREATE INDEX payins_in_suspense ON payins (paid_at DESC, receipt DESC) WHERE standing = 'suspense';
CREATE TABLE payin_references (
  account_ref text PRIMARY KEY,
  workspace_id uuid NOT NULL UNIQUE
);
ALTER TABLE ledger_entries ALTER COLUMN workspace_id DROP NOT NULL`

export const topups = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  for (const statement of tables.split(";")) yield* sql.unsafe(statement)
})
