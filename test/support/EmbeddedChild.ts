// A process that starts the embedded server of a data folder, keeps a session, prints its URL and waits.
import { PgConnection } from "@effect/sql-pg"
import { Effect, Redacted } from "effect"
import { session } from "../../src/layers/postgres/database/Database.ts"
import { startEmbedded, startEphemeral } from "../../src/layers/postgres/embedded/EmbeddedPostgres.ts"

const [data_dir] = process.argv.slice(2)

const program = Effect.gen(function* () {
  const server = yield* data_dir === undefined ? startEphemeral("memory") : startEmbedded({ data_dir })
  const connection = yield* PgConnection.make(session(server.url))
  yield* connection.query("CREATE TABLE IF NOT EXISTS seen (id int)")
  yield* connection.query("INSERT INTO seen VALUES (1)")
  process.stdout.write(JSON.stringify({ pid: server.pid(), port: server.port, url: Redacted.value(server.url) }) + "\n")
  return yield* Effect.never
})

await Effect.runPromise(Effect.scoped(program))
