// Verifies the invariants of money and calls on the configured database, beside a running engine or without one.
import { Data, Effect, References } from "effect"
import { SqlClient } from "effect/sql"
import { existsSync } from "node:fs"
import { join } from "node:path"
import * as Database from "../layers/postgres/database/Database.ts"
import { startEmbedded } from "../layers/postgres/embedded/EmbeddedPostgres.ts"
import { checkInvariants, type Finding } from "../layers/postgres/checks/Invariants.ts"
import { progressOf } from "../layers/postgres/migrations/Migrations.ts"
import { Settings } from "./Settings.ts"

/** There is no database to check, or it cannot be read. */
export class CannotCheck extends Data.TaggedError("CannotCheck")<{ readonly message: string }> {}

/** Fails for a folder without a database instead of creating one. */
const databaseUrl = Effect.gen(function* () {
  const { data_dir, database_url } = yield* Settings
  if (database_url !== undefined) return database_url
  if (!existsSync(join(data_dir, "postgres"))) {
    return yield* new CannotCheck({ message: `There is no database in ${data_dir} yet, and DATABASE_URL is not set.` })
  }
  return (yield* startEmbedded({ data_dir })).url
})

/** The invariants are queries on the schema of this version. */
const mustBeMigrated = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [table] = yield* sql`SELECT to_regclass('schema_migrations')::text AS name`
  const rows = table?.["name"] ? yield* sql`SELECT name FROM schema_migrations ORDER BY name` : []
  const applied = rows.map((row) => String(row["name"]))
  const { missing, unknown } = progressOf(applied)
  if (missing.length === 0 && unknown.length === 0) return
  return yield* new CannotCheck({
    message: "The database has the schema of another version: start the engine once, or use the version that wrote it."
  })
})

const findings: Effect.Effect<ReadonlyArray<Finding>, CannotCheck> = Effect.gen(function* () {
  const url = yield* databaseUrl
  return yield* Effect.andThen(mustBeMigrated, checkInvariants).pipe(
    Effect.provide(Database.layer({ url, connections: 1 }))
  )
}).pipe(
  Effect.scoped,
  Effect.provide(Settings.layer),
  Effect.provideService(References.MinimumLogLevel, "Warn"),
  Effect.mapError((error) => (error instanceof CannotCheck ? error : new CannotCheck({ message: error.message })))
)

/**
 * One finding for each invariant. It reads one snapshot of the database of `DATABASE_URL` or `DATA_DIR`, and rejects
 * with `CannotCheck`. It is a promise, because the command that calls it has an Effect of its own in its bundle.
 */
export const checkDatabase = (signal: AbortSignal): Promise<ReadonlyArray<Finding>> =>
  Effect.runPromise(findings, { signal })
