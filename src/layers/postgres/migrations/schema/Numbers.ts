// Providers, series and numbers, and the rates of calls.

/** Milliseconds since the epoch of a column of a number. */
const epoch = (column: string): string => `(extract(epoch FROM n.${column}) * 1000)::int8`

const series: ReadonlyArray<string> = [
  `CREATE TABLE number_providers (
    id uuid PRIMARY KEY,
    name text NOT NULL,
    status text NOT NULL CHECK (status IN ('active', 'retired')),
    host text NOT NULL,
    port int NOT NULL CHECK (port BETWEEN 1 AND 65535),
    transport text NOT NULL CHECK (transport IN ('udp', 'tcp', 'tls')),
    username text,
    password text,
    max_channels int NOT NULL,
    max_cps int NOT NULL,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL
  )`,
  `CREATE TABLE number_series (
    id uuid PRIMARY KEY,
    country text NOT NULL,
    prefix text NOT NULL,
    status text NOT NULL CHECK (status IN ('active', 'inactive', 'retired')),
    capabilities text[] NOT NULL,
    created_at timestamptz NOT NULL,
    provider_id uuid REFERENCES number_providers,
    start_suffix int NOT NULL DEFAULT 0,
    end_suffix int NOT NULL DEFAULT 9999,
    suffix_length int NOT NULL DEFAULT 5,
    type text NOT NULL DEFAULT 'local' CHECK (type IN ('mobile', 'local', 'national', 'toll_free')),
    locality text,
    CHECK (end_suffix > start_suffix AND end_suffix - start_suffix < 10000)
  )`,
  `CREATE TABLE number_series_prices (
    series_id uuid NOT NULL REFERENCES number_series,
    currency text NOT NULL,
    monthly_price_minor int8 NOT NULL CHECK (monthly_price_minor >= 0),
    inbound_per_min_minor int8 NOT NULL CHECK (inbound_per_min_minor >= 0),
    outbound_per_min_minor int8 NOT NULL CHECK (outbound_per_min_minor >= 0),
    PRIMARY KEY (series_id, currency)
  )`,
  // Generated ranges, so that a repeated request differs from a collision.
  `CREATE TABLE number_generations (
    series_id uuid NOT NULL REFERENCES number_series,
    start_suffix int NOT NULL,
    end_suffix int NOT NULL,
    generated_at timestamptz NOT NULL,
    PRIMARY KEY (series_id, start_suffix, end_suffix)
  )`
]

const table: ReadonlyArray<string> = [
  // `reserved_for`: the workspace that is claiming the number.
  `CREATE TABLE numbers (
    id uuid PRIMARY KEY,
    series_id uuid REFERENCES number_series,
    workspace_id uuid REFERENCES workspaces,
    number text NOT NULL,
    status text NOT NULL
      CHECK (status IN ('available', 'active', 'past_due', 'suspended', 'released', 'retired', 'removed')),
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
    version int NOT NULL DEFAULT 1,
    state json NOT NULL,
    reserved_for uuid,
    CHECK ((status IN ('active', 'past_due', 'suspended')) <= (workspace_id IS NOT NULL))
  )`,
  // A number that its workspace removed can be registered again.
  "CREATE UNIQUE INDEX numbers_by_number ON numbers (number) WHERE status <> 'removed'",
  "CREATE INDEX numbers_of_workspace ON numbers (workspace_id, claimed_at, id) WHERE workspace_id IS NOT NULL",
  "CREATE INDEX numbers_available ON numbers (country, number) WHERE status = 'available' AND reserved_for IS NULL",
  "CREATE INDEX numbers_reserved ON numbers (reserved_for) WHERE reserved_for IS NOT NULL"
]

/** Fills in the state of rows that inventory, seed and imports insert without one. */
const states: ReadonlyArray<string> = [
  `CREATE FUNCTION number_state(n numbers) RETURNS json LANGUAGE sql STABLE AS $$
    SELECT json_build_object('number', n.number, 'series_id', n.series_id, 'workspace_id', n.workspace_id,
      'status', n.status, 'source', n.source, 'country', n.country, 'type', n.type, 'locality', n.locality,
      'capabilities', n.capabilities, 'label', n.label, 'currency', n.currency,
      'monthly_price_minor', n.monthly_price_minor, 'inbound_per_min_minor', n.inbound_per_min_minor,
      'outbound_per_min_minor', n.outbound_per_min_minor, 'routing', n.routing, 'claimed_at', ${epoch("claimed_at")},
      'renews_at', ${epoch("renews_at")}, 'past_due_since', ${epoch("past_due_since")},
      'released_at', ${epoch("released_at")}) $$`,
  `CREATE FUNCTION number_begins() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    NEW.state := number_state(NEW);
    RETURN NEW;
  END $$`,
  `CREATE TRIGGER number_begins BEFORE INSERT ON numbers
    FOR EACH ROW WHEN (NEW.state IS NULL) EXECUTE FUNCTION number_begins()`
]

const rates: ReadonlyArray<string> = [
  `CREATE TABLE rates (
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
  )`,
  "CREATE INDEX rates_by_prefix ON rates (currency, direction, prefix)",
  "CREATE UNIQUE INDEX rates_once ON rates (currency, direction, prefix, effective_from)"
]

export const numbers: ReadonlyArray<string> = [...series, ...table, ...states, ...rates]
