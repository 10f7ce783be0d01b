// Migrates a database to the schema of this version, or fails with the reason.
import { Data, Effect } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { core } from "./0001_core.ts"
import { directoryNotify } from "./0002_directory_notify.ts"
import { audit } from "./0003_audit.ts"
import { addRecordings } from "./0015_recordings.ts"
import { storagePrices } from "./0016_storage_prices.ts"
import { statistics } from "./0020_statistics.ts"
import { books } from "./0025_books.ts"
import { topups } from "./0026_topups.ts"
import { deadLetters } from "./0030_dead_letters.ts"
import { numbers } from "./0035_numbers.ts"
import { series } from "./0036_series.ts"
import { sipTrunks } from "./0041_sip_trunks.ts"
import { sipCredentials } from "./0040_sip_credentials.ts"
import { trunkNotify } from "./0042_trunk_notify.ts"
import { workspaceActor } from "./0045_workspace_actor.ts"
import { accounts } from "./0046_accounts.ts"
import { apiKeys } from "./0055_api_keys.ts"
import { auditChain } from "./0056_audit_chain.ts"
import { platformAudit } from "./0057_platform_audit.ts"
import { broughtNumbers } from "./0058_brought_numbers.ts"
import { closedWorkspaces } from "./0059_closed_workspaces.ts"
import { sealedStatistics } from "./0060_sealed_statistics.ts"
import { sharedCounts } from "./0065_shared_counts.ts"
import { topUpLimits } from "./0075_topup_limits.ts"
import { trunkLegs } from "./0066_trunk_legs.ts"
import { callPlaces } from "./0070_call_places.ts"
import { listFilters } from "./0076_list_filters.ts"
import { holdsInUse } from "./0080_holds_in_use.ts"
import { callTrail } from "./0085_call_trail.ts"
import { entrySequence } from "./0090_entry_sequence.ts"
import { reversedAmounts } from "./0095_reversed_amounts.ts"
import { holdsRoom } from "./0100_holds_room.ts"
import { addConferences } from "./0110_conferences.ts"
import { eventOrder } from "./0105_event_order.ts"
import { sandboxNetwork } from "./0106_sandbox_network.ts"
import { secureRows } from "../database/RowSecurity.ts"

/** A migration fails only with SQL errors. */
export type Migration = Effect.Effect<void, SqlError.SqlError, SqlClient.SqlClient>

/** All migrations, in order. Never rename, remove or reorder a released one. */
export const migrations: Readonly<Record<string, Migration>> = {
  "0001_core": core,
  "0002_directory_notify": directoryNotify,
  "0003_audit": audit,
  "0015_recordings": addRecordings,
  "0016_storage_prices": storagePrices,
  "0020_statistics": statistics,
  "0025_books": books,
  "0026_topups": topups,
  "0030_dead_letters": deadLetters,
  "0035_numbers": numbers,
  "0036_series": series,
  "0040_sip_credentials": sipCredentials,
  "0041_sip_trunks": sipTrunks,
  "0042_trunk_notify": trunkNotify,
  "0045_workspace_actor": workspaceActor,
  "0046_accounts": accounts,
  "0055_api_keys": apiKeys,
  "0056_audit_chain": auditChain,
  "0057_platform_audit": platformAudit,
  "0058_brought_numbers": broughtNumbers,
  "0059_closed_workspaces": closedWorkspaces,
  "0060_sealed_statistics": sealedStatistics,
  "0065_shared_counts": sharedCounts,
  "0066_trunk_legs": trunkLegs,
  "0070_call_places": callPlaces,
  "0075_topup_limits": topUpLimits,
  "0076_list_filters": listFilters,
  "0080_holds_in_use": holdsInUse,
  "0085_call_trail": callTrail,
  "0090_entry_sequence": entrySequence,
  "0095_reversed_amounts": reversedAmounts,
  "0100_holds_room": holdsRoom,
  "0105_event_order": eventOrder,
  "0106_sandbox_network": sandboxNetwork,
  "0110_conferences": addConferences
}

/** A newer version of the program has migrated the database. */
export class UnknownMigrations extends Data.TaggedError("UnknownMigrations")<{
  readonly names: ReadonlyArray<string>
}> {
  override get message() {
    return (
      `The database has migrations that this version does not know: ${this.names.join(", ")}. ` +
      "Start a newer version, or restore the backup made before the upgrade."
    )
  }
}

/** Advisory lock held while migrating: "trunkmig" as a number. */
const lock = 0x7472_756e_6b6d_6967n

/**
 * Applies the missing migrations in one transaction and returns their names. Processes that start together wait for
 * each other, so each migration runs once.
 */
export const migrate = Effect.fnUntraced(function* (known: Readonly<Record<string, Migration>> = migrations) {
  const sql = yield* SqlClient.SqlClient
  const steps = Effect.gen(function* () {
    // Building an index, or waiting for another process that builds it, may exceed the usual time limits.
    yield* sql`SELECT set_config('statement_timeout', '0', true), set_config('lock_timeout', '0', true)`
    yield* sql`SELECT pg_advisory_xact_lock(${lock})`
    yield* sql`
      CREATE TABLE IF NOT EXISTS schema_migrations (
        name text PRIMARY KEY,
        applied_at timestamptz NOT NULL DEFAULT clock_timestamp()
      )`
    const rows = yield* sql<{ readonly name: string }>`SELECT name FROM schema_migrations ORDER BY name`
    const applied = new Set(rows.map((row) => row.name))
    const unknown = [...applied].filter((name) => !(name in known))
    if (unknown.length > 0) return yield* new UnknownMigrations({ names: unknown })
    const missing = Object.entries(known).filter(([name]) => !applied.has(name))
    for (const [name, migration] of missing) {
      yield* migration
      yield* sql`INSERT INTO schema_migrations (name) VALUES (${name})`
    }
    // Migrations that tests pass in create no tables of the engine.
    if (missing.length > 0 && known === migrations) yield* secureRows
    return missing.map(([name]) => name)
  })
  return yield* sql.withTransaction(steps)
})
