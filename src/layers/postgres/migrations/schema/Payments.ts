// Top-ups, incoming payments with the account references that payers type in, and what operators set: the limits of a
// top-up and the prices of storage. The values here are those of the first day.
export const payments: ReadonlyArray<string> = [
  // `reversed_minor`: how much of the top-up the provider has taken back.
  `CREATE TABLE topups (
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
    reversed_minor int8 NOT NULL DEFAULT 0,
    CHECK ((status IN ('succeeded', 'reversed')) = (credited_minor IS NOT NULL))
  )`,
  "CREATE INDEX topups_of_workspace ON topups (workspace_id, created_at DESC, id DESC)",
  "CREATE INDEX topups_by_status ON topups (workspace_id, status, created_at DESC, id DESC)",
  "CREATE INDEX topups_unpaid ON topups (workspace_id, amount_minor, created_at) WHERE status IN ('pending', 'expired')",
  "CREATE UNIQUE INDEX topups_by_receipt ON topups ((provider = 'card'), provider_reference) WHERE provider_reference IS NOT NULL",

  `CREATE TABLE payins (
    receipt text PRIMARY KEY,
    workspace_id uuid,
    version int NOT NULL,
    state json NOT NULL,
    standing text NOT NULL CHECK (standing IN ('matching', 'suspense', 'released', 'settled')),
    amount_minor int8 NOT NULL CHECK (amount_minor > 0),
    account_ref text,
    topup_id uuid,
    paid_at timestamptz NOT NULL
  )`,
  "CREATE INDEX payins_in_suspense ON payins (paid_at DESC, receipt DESC) WHERE standing = 'suspense'",
  `CREATE TABLE payin_references (
    account_ref text PRIMARY KEY,
    workspace_id uuid NOT NULL UNIQUE
  )`,

  `CREATE TABLE topup_limits (
    currency text PRIMARY KEY CHECK (currency IN ('KES', 'UGX', 'TZS', 'RWF', 'ZAR', 'GHS', 'NGN')),
    minimum_minor int8 NOT NULL CHECK (minimum_minor > 0),
    maximum_minor int8 NOT NULL CHECK (maximum_minor >= minimum_minor)
  )`,
  `INSERT INTO topup_limits (currency, minimum_minor, maximum_minor) VALUES
    ('KES', 10000, 25000000),
    ('UGX', 300000, 300000000),
    ('TZS', 200000, 200000000),
    ('RWF', 100000, 100000000),
    ('ZAR', 2000, 2000000),
    ('GHS', 1000, 1000000),
    ('NGN', 100000, 100000000)`,

  `CREATE TABLE storage_prices (
    currency text NOT NULL CHECK (currency IN ('KES', 'UGX', 'TZS', 'RWF', 'ZAR', 'GHS', 'NGN')),
    tier_mb int NOT NULL CHECK (tier_mb > 100),
    monthly_price_minor int8 NOT NULL CHECK (monthly_price_minor >= 0),
    PRIMARY KEY (currency, tier_mb)
  )`,
  `INSERT INTO storage_prices (currency, tier_mb, monthly_price_minor) VALUES
    ('KES', 1024, 59900),
    ('KES', 4096, 149900),
    ('KES', 5120, 174900),
    ('KES', 10240, 299900),
    ('KES', 25600, 649900),
    ('KES', 51200, 1149900),
    ('KES', 102400, 1999900),
    ('KES', 256000, 4499900)`
]
