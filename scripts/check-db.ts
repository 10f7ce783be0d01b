// `npm run check:db`: verifies the invariants of money and calls on the configured database, beside a running engine or
// without one. Exit 0: all hold. 1: some are violated, and their rows are printed. 2: the check could not run.
import { NodeRuntime } from "@effect/platform-node"
import { Console, Data, Effect, References } from "effect"
import { SqlClient } from "effect/sql"
import { existsSync } from "node:fs"
import { join } from "node:path"
import * as Database from "../src/layers/postgres/database/Database.ts"
import { startEmbedded } from "../src/layers/postgres/embedded/EmbeddedPostgres.ts"
import { checkInvariants, type Finding } from "../src/layers/postgres/checks/Invariants.ts"
import { migrations } from "../src/layers/postgres/migrations/Migrations.ts"
import { Settings } from "../src/app/Settings.ts"

class NoDatabase extends Data.TaggedError("NoDatabase")<{ readonly message: string }> {}

/** Fails for a folder without a database instead of creating one. */
const databaseUrl = Effect.gen(function* () {
  const { data_dir, database_url } = yield* Settings
  if (database_url !== undefined) return database_url
  if (!existsSync(join(data_dir, "postgres"))) {
    return yield* new NoDatabase({ message: `There is no database in ${data_dir} yet, and DATABASE_URL is not set.` })
  }
  return (yield* startEmbedded({ data_dir })).url
})

/** The invariants are queries on the schema of this version. */
const mustBeMigrated = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [table] = yield* sql`SELECT to_regclass('schema_migrations')::text AS name`
  const rows = table?.["name"] ? yield* sql`SELECT name FROM schema_migrations ORDER BY name` : []
  const applied = rows.map((row) => String(row["name"]))
  if (applied.join() === Object.keys(migrations).join()) return
  return yield* new NoDatabase({
    message: "The database has the schema of another version: start the engine once, or use the version that wrote it."
  })
})

const report = ({ count, name, rows }: Finding): string =>
  count === 0
    ? `ok      ${name}`
    : [
        `BROKEN  ${name} (${count})`,
        ...rows.map((row) => `        ${row}`),
        ...(count > rows.length ? [`        and ${count - rows.length} more`] : [])
      ].join("\n")

const program = Effect.gen(function* () {
  const url = yield* databaseUrl
  const findings = yield* Effect.andThen(mustBeMigrated, checkInvariants).pipe(
    Effect.provide(Database.layer({ url, connections: 1 }))
  )
  for (const finding of findings) yield* Console.log(report(finding))
  return findings.every(({ count }) => count === 0) ? 0 : 1
}).pipe(
  Effect.scoped,
  Effect.provide(Settings.layer),
  Effect.provideService(References.MinimumLogLevel, "Warn"),
  Effect.catch((error) => Effect.as(Console.error(`Cannot check: ${error.message}`), 2))
)

NodeRuntime.runMain(
  Effect.map(program, (code) => {
    process.exitCode = code
  })
)
