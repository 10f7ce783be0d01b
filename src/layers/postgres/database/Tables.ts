// Every table of the engine, and who may read its rows within a request. `RowSecurity.ts` makes the policies from it.

/**
 * - `workspace`: the rows of the request's workspace, by the column `workspace_id`.
 * - `everyone`: all rows; the table has no rows of a workspace.
 * - `engine`: no rows. Only the engine's own work reads the table.
 * - Otherwise the SQL condition under which a request may read a row.
 */
export type TableAccess = "workspace" | "everyone" | "engine" | { readonly readable: string }

export const tables: Readonly<Record<string, TableAccess>> = {
  actors: "workspace",
  alarms: "engine",
  api_keys: "workspace",
  audit_entries: "workspace",
  call_blocks: "workspace",
  call_places: "workspace",
  call_stats: "workspace",
  call_stats_sealed: "workspace",
  call_trail: "workspace",
  calls: "workspace",
  conferences: "workspace",
  deliveries: "workspace",
  events: "workspace",
  holds: "workspace",
  idempotency_keys: "workspace",
  journal_batches: "engine",
  ledger_entries: "workspace",
  // Lines have no workspace. A line is readable if its entry is.
  ledger_lines: { readable: "EXISTS (SELECT FROM ledger_entries e WHERE e.id = entry_id)" },
  magic_links: "engine",
  number_generations: "engine",
  number_providers: "engine",
  number_series: "everyone",
  number_series_prices: "everyone",
  // Numbers without a workspace are for sale.
  numbers: { readable: "workspace_id = current_workspace() OR workspace_id IS NULL" },
  payin_references: "workspace",
  payins: "workspace",
  rates: "everyone",
  recordings: "workspace",
  schema_migrations: "engine",
  sessions: "workspace",
  shared_counts: "engine",
  shared_leases: "engine",
  sip_credentials: "workspace",
  sip_registrations: "workspace",
  sip_trunks: "workspace",
  storage_prices: "everyone",
  topup_limits: "everyone",
  topups: "workspace",
  users: "engine",
  wallets: "workspace",
  webhook_subscriptions: "workspace",
  webhook_topics: "workspace",
  workspaces: { readable: "id = current_workspace()" }
}

/** The condition of a table's policy. Undefined: its rows belong to no workspace. */
export const conditionOf = (access: TableAccess): string | undefined => {
  if (typeof access === "object") return access.readable
  return access === "workspace" ? "workspace_id = current_workspace()" : undefined
}
