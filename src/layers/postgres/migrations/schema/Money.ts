// Wallets, holds and the ledger.

/** A statement-level trigger, so that inserts cost nothing. */
const guard = (table: string): string =>
  `CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON ${table}
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()`

const wallets: ReadonlyArray<string> = [
  `CREATE TABLE wallets (
    workspace_id uuid PRIMARY KEY,
    version int NOT NULL,
    state json NOT NULL,
    currency text NOT NULL,
    balance_minor int8 NOT NULL,
    held_minor int8 NOT NULL CHECK (held_minor >= 0),
    low_balance_threshold_minor int8 NOT NULL CHECK (low_balance_threshold_minor >= 0),
    updated_at timestamptz NOT NULL
  ) WITH (fillfactor = 50)`
]

const holds: ReadonlyArray<string> = [
  // Every hold is changed once when its call is stored and once when it ends: half of each page is kept free, so that
  // the new versions stay beside the old ones and no index is written for them. `trunk_legs`: legs that use the
  // workspace's own trunk, so that the trunk's limits can be enforced. `used`: the hold's call is stored.
  `CREATE TABLE holds (
    id uuid PRIMARY KEY,
    workspace_id uuid NOT NULL,
    call_id uuid NOT NULL,
    amount_minor int8 NOT NULL CHECK (amount_minor >= 0),
    status text NOT NULL CHECK (status IN ('open', 'captured', 'released')),
    captured_minor int8 NOT NULL CHECK (captured_minor BETWEEN 0 AND amount_minor),
    placed_at timestamptz NOT NULL,
    closed_at timestamptz,
    trunk_legs int NOT NULL DEFAULT 0,
    used boolean NOT NULL DEFAULT false,
    CHECK ((status = 'open') = (closed_at IS NULL))
  ) WITH (fillfactor = 45)`,
  "CREATE INDEX holds_open ON holds (workspace_id) WHERE status = 'open'",
  "CREATE INDEX holds_of_call ON holds (call_id)",
  `CREATE FUNCTION refuse_captured_hold() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    RAISE EXCEPTION 'Hold % is captured and stays so', OLD.id
      USING ERRCODE = 'integrity_constraint_violation', CONSTRAINT = 'holds_captured';
  END $$`,
  `CREATE TRIGGER captured_stays BEFORE UPDATE ON holds FOR EACH ROW
    WHEN (OLD.status = 'captured' AND NEW.status <> 'captured') EXECUTE FUNCTION refuse_captured_hold()`
]

const ledger: ReadonlyArray<string> = [
  // `sequence`: the wallet's own order of its entries. Suspense has no workspace and no order.
  `CREATE TABLE ledger_entries (
    id uuid PRIMARY KEY,
    workspace_id uuid,
    kind text NOT NULL,
    amount_minor int8 NOT NULL,
    balance_after_minor int8 NOT NULL,
    currency text NOT NULL,
    reference_type text NOT NULL,
    reference_id text NOT NULL,
    description text NOT NULL,
    created_at timestamptz NOT NULL,
    actor json NOT NULL,
    metadata json NOT NULL,
    sequence int8
  )`,
  "CREATE UNIQUE INDEX ledger_entries_call_charge ON ledger_entries (reference_id) WHERE kind = 'call_charge'",
  "CREATE UNIQUE INDEX ledger_entries_sequence ON ledger_entries (workspace_id, sequence DESC)",
  "CREATE INDEX ledger_entries_of_workspace ON ledger_entries (workspace_id, created_at DESC, sequence DESC)",
  // Call charges are almost all of the ledger, so the index of the other kinds leaves them out.
  `CREATE INDEX ledger_entries_by_kind ON ledger_entries (workspace_id, kind, created_at DESC, sequence DESC)
   WHERE kind <> 'call_charge'`,
  `CREATE TABLE ledger_lines (
    entry_id uuid NOT NULL,
    account text NOT NULL,
    amount_minor int8 NOT NULL,
    PRIMARY KEY (entry_id, account)
  )`,
  `CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    RAISE EXCEPTION '% is append-only: % is refused', TG_TABLE_NAME, TG_OP USING ERRCODE = 'integrity_constraint_violation';
  END $$`,
  guard("ledger_entries"),
  guard("ledger_lines"),
  // Held money stays in the wallet, so it has no ledger entry. The holds table records it.
  `CREATE VIEW account_balances AS
  SELECT account, currency, sum(amount_minor)::int8 AS balance_minor FROM (
    SELECT l.account, e.currency, l.amount_minor FROM ledger_lines l JOIN ledger_entries e ON e.id = l.entry_id
    UNION ALL
    SELECT 'workspace:' || workspace_id || ':held', w.currency, h.amount_minor
    FROM holds h JOIN wallets w USING (workspace_id) WHERE h.status = 'open'
    UNION ALL
    SELECT 'workspace:' || workspace_id || ':cash', w.currency, -h.amount_minor
    FROM holds h JOIN wallets w USING (workspace_id) WHERE h.status = 'open'
  ) movements GROUP BY account, currency`
]

export const money: ReadonlyArray<string> = [...wallets, ...holds, ...ledger]
