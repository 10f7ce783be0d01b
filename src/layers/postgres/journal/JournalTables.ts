// The table for the snapshots of each actor type. Types that only the actor itself reads are in `actors`.
import type { Column as Value } from "../../../domain/journal/Rows.ts"
import {
  bool,
  type Column,
  column,
  columns,
  type ColumnType,
  instant,
  int4,
  int8,
  json,
  text,
  texts,
  uuid
} from "./JournalColumns.ts"
import type { WorkspaceId } from "../../../domain/BrandedIds.ts"

/** An actor's last snapshot in a batch. It replaces version `fence`; 0 if there is no row yet. */
export interface SnapshotWrite {
  readonly actor_type: string
  readonly actor_id: string
  readonly workspace_id: WorkspaceId | null
  readonly fence: number
  readonly version: number
  readonly state: string
  readonly columns: Readonly<Record<string, Value>>
}

export interface SnapshotTable {
  readonly name: string
  readonly key: readonly [Column<SnapshotWrite>, ...ReadonlyArray<Column<SnapshotWrite>>]
  readonly rest: ReadonlyArray<Column<SnapshotWrite>>
  /** SQL that reads the state of a row `t` as text. Default: the column `state`. */
  readonly state?: string
  /** Set: batches without rows for this table use a statement without it. */
  readonly rare?: true
}

/** The actor's id is the primary key. */
const actorIdAs = (name: string, type: ColumnType): SnapshotTable["key"] => [{ name, type, of: (row) => row.actor_id }]

const versioned = columns<SnapshotWrite>({ version: [int4], state: [json] })
const tenant = columns<SnapshotWrite>({ workspace_id: [uuid] })

/** Columns by which reads filter and sort. Their values come with the snapshot. */
const typed = (types: Readonly<Record<string, ColumnType>>): ReadonlyArray<Column<SnapshotWrite>> =>
  Object.entries(types).map(([name, type]) => ({ name, type, of: (row) => row.columns[name] }))

const calls: SnapshotTable = {
  name: "calls",
  key: actorIdAs("id", uuid),
  rest: [
    ...tenant,
    ...versioned,
    ...typed({
      session_id: text,
      parent_call_id: uuid,
      number_id: uuid,
      status: text,
      direction: text,
      from_e164: text,
      to_e164: text,
      client_reference: text,
      created_at: instant,
      answered_at: instant,
      cost_minor: int8,
      country: text,
      duration_seconds: int4,
      billed_seconds: int4
    })
  ]
}

const wallets: SnapshotTable = {
  name: "wallets",
  key: actorIdAs("workspace_id", uuid),
  rest: [
    ...versioned,
    ...typed({
      currency: text,
      balance_minor: int8,
      held_minor: int8,
      low_balance_threshold_minor: int8,
      updated_at: instant
    })
  ]
}

const subscriptions: SnapshotTable = {
  name: "webhook_subscriptions",
  key: actorIdAs("id", uuid),
  rest: [
    ...tenant,
    ...versioned,
    ...typed({ status: text, kinds: texts, number_ids: texts, call_url: text, created_at: instant })
  ]
}

/**
 * Members of the state that also have a column. The column wins, because rows are also created and corrected by hand.
 */
const ofWorkspace = {
  name: text,
  status: text,
  currency: text,
  tenant_pbx_id: text,
  gateway_id: text,
  voice_secret: text,
  calling_policy: json,
  number_mode: text,
  retention_days: int4,
  created_at: instant
}

/** SQL for the stored state, with the members that have a column taken from the column. */
const stateWithColumns = (types: Readonly<Record<string, ColumnType>>): string =>
  `(t.state::jsonb || jsonb_build_object(${Object.entries(types)
    .map(
      ([name, type]) => `'${name}', ${type === instant ? `(extract(epoch FROM t.${name}) * 1000)::int8` : `t.${name}`}`
    )
    .join(", ")}))::text`

/** The state of a row `t` of `workspaces`, as text. */
export const workspaceState = stateWithColumns(ofWorkspace)

const workspaces: SnapshotTable = {
  name: "workspaces",
  key: actorIdAs("id", uuid),
  rest: [...versioned, ...typed({ ...ofWorkspace, member_ids: texts })],
  state: workspaceState,
  rare: true
}

const ofNumber = {
  number: text,
  series_id: uuid,
  status: text,
  source: text,
  country: text,
  type: text,
  locality: text,
  capabilities: texts,
  label: text,
  currency: text,
  monthly_price_minor: int8,
  inbound_per_min_minor: int8,
  outbound_per_min_minor: int8,
  routing: json,
  claimed_at: instant,
  renews_at: instant,
  past_due_since: instant,
  released_at: instant
}

const numbers: SnapshotTable = {
  name: "numbers",
  key: actorIdAs("id", uuid),
  rest: [...tenant, ...versioned, ...typed({ ...ofNumber, reserved_for: uuid })],
  state: stateWithColumns({ ...ofNumber, workspace_id: uuid }),
  rare: true
}

const apiKeys: SnapshotTable = {
  name: "api_keys",
  key: actorIdAs("id", uuid),
  rest: [
    ...tenant,
    ...versioned,
    ...typed({
      label: text,
      scopes: texts,
      env: text,
      prefix: text,
      created_at: instant,
      expires_at: instant,
      revoked_at: instant
    })
  ],
  rare: true
}

const recordings: SnapshotTable = {
  name: "recordings",
  key: actorIdAs("id", uuid),
  rest: [...tenant, ...versioned, ...typed({ call_id: uuid, status: text, created_at: instant, size_bytes: int8 })],
  rare: true
}

const conferences: SnapshotTable = {
  name: "conferences",
  key: actorIdAs("id", uuid),
  rest: [...tenant, ...versioned, ...typed({ name: text, status: text, created_at: instant })],
  rare: true
}

const sipCredentials: SnapshotTable = {
  name: "sip_credentials",
  key: actorIdAs("workspace_id", uuid),
  rest: versioned,
  rare: true
}

const sipTrunks: SnapshotTable = {
  name: "sip_trunks",
  key: actorIdAs("workspace_id", uuid),
  rest: [...versioned, ...typed({ trunk_id: uuid, status: text, serving: bool })],
  rare: true
}

const topups: SnapshotTable = {
  name: "topups",
  key: actorIdAs("id", uuid),
  rest: [
    ...tenant,
    ...versioned,
    ...typed({
      provider: text,
      status: text,
      amount_minor: int8,
      provider_reference: text,
      credited_minor: int8,
      reversed_minor: int8,
      created_at: instant
    })
  ],
  rare: true
}

const payIns: SnapshotTable = {
  name: "payins",
  key: actorIdAs("receipt", text),
  rest: [
    ...tenant,
    ...versioned,
    ...typed({ standing: text, amount_minor: int8, account_ref: text, topup_id: uuid, paid_at: instant })
  ],
  rare: true
}

const actors: SnapshotTable = {
  name: "actors",
  key: [column<SnapshotWrite>("actor_type", text), column<SnapshotWrite>("actor_id", text)],
  rest: [...tenant, ...versioned]
}

/** The type of the actors for which the fan-out makes deliveries and sets alarms. */
export const subscriptionType = "Subscription"

/** Tables by actor type. All other types are in `actors`. */
const tableByType = new Map([
  ["ApiKey", apiKeys],
  ["Call", calls],
  ["Conference", conferences],
  ["Recording", recordings],
  ["SipCredentials", sipCredentials],
  ["Number", numbers],
  ["SipTrunk", sipTrunks],
  ["PayIn", payIns],
  [subscriptionType, subscriptions],
  ["TopUp", topups],
  ["Wallet", wallets],
  ["Workspace", workspaces]
])

export const snapshotTables: ReadonlyArray<SnapshotTable> = [...tableByType.values(), actors]

export const tableOf = (actor_type: string): SnapshotTable => tableByType.get(actor_type) ?? actors
