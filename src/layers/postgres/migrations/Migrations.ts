// Migrates a database to the schema of this version, or fails with the reason.
import { Data, Effect } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { schema } from "./0110_schema.ts"
import { holdLegs } from "./0111_hold_legs.ts"
import { webhookTopics } from "./0112_webhook_topics.ts"
import { callUrls } from "./0113_call_urls.ts"
import { manyRows } from "./0118_many_rows.ts"
import { callKinds } from "./0119_call_kinds.ts"
import { sharedLeases } from "./0120_shared_leases.ts"
import { secureRows } from "../database/RowSecurity.ts"

/** A migration fails only with SQL errors. */
export type Migration = Effect.Effect<void, SqlError.SqlError, SqlClient.SqlClient>

/** All migrations, in order. Never rename, remove, merge or reorder a released one. */
export const migrations: Readonly<Record<string, Migration>> = {
  "0110_schema": schema,
  "0111_hold_legs": holdLegs,
  "0112_webhook_topics": webhookTopics,
  "0113_call_urls": callUrls,
  "0118_many_rows": manyRows,
  "0119_call_kinds": callKinds,
  "0120_shared_leases": sharedLeases
}

/** A migration is known by its number. */
const numberOf = (name: string): string => name.slice(0, 4)

type Known = Readonly<Record<string, Migration>>

/** How a database stands to the migrations of this version. */
interface Progress {
  /** Those that it lacks, in order. */
  readonly missing: ReadonlyArray<string>
  /** Those that it has of a newer version. */
  readonly unknown: ReadonlyArray<string>
  /** The last that it has of the versions before the first release; undefined if it has all of those, or none. */
  readonly halfway: string | undefined
}

/** `applied`: names in the order of their numbers. */
export const progressOf = (applied: ReadonlyArray<string>, known: Known = migrations): Progress => {
  const names = Object.keys(known)
  const first = numberOf(names[0] ?? "")
  const has = new Set(applied.map(numberOf))
  const numbers = new Set(names.map(numberOf))
  return {
    missing: names.filter((name) => !has.has(numberOf(name))),
    unknown: applied.filter((name) => numberOf(name) >= first && !numbers.has(numberOf(name))),
    halfway: has.has(first) ? undefined : applied.findLast((name) => numberOf(name) < first)
  }
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

/** A version before the first release made the database and has not finished its schema. */
export class UnfinishedSchema extends Data.TaggedError("UnfinishedSchema")<{ readonly last: string }> {
  override get message() {
    return (
      `The database was made before the first release, and its schema is not complete: its last migration is ${this.last}. ` +
      "Start the last version before the release once, or begin with an empty database."
    )
  }
}

/** Advisory lock held while migrating: "trunkmig" as a number. */
const lock = 0x7472_756e_6b6d_6967n

/**
 * Applies the missing migrations in one transaction and returns their names. Processes that start together wait for
 * each other, so each migration runs once.
 */
export const migrate = Effect.fnUntraced(function* (known: Known = migrations) {
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
    const { halfway, missing, unknown } = progressOf(
      rows.map((row) => row.name),
      known
    )
    if (unknown.length > 0) return yield* new UnknownMigrations({ names: unknown })
    if (halfway !== undefined) return yield* new UnfinishedSchema({ last: halfway })
    for (const [name, migration] of Object.entries(known).filter(([each]) => missing.includes(each))) {
      yield* migration
      yield* sql`INSERT INTO schema_migrations (name) VALUES (${name})`
    }
    // Migrations that tests pass in create no tables of the engine.
    if (missing.length > 0 && known === migrations) yield* secureRows
    return missing
  })
  return yield* sql.withTransaction(steps)
})
