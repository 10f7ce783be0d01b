import { PgClient } from "@effect/sql-pg"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Redacted } from "effect"
import * as Database from "../../../../src/layers/postgres/database/Database.ts"
import { overTcp } from "../../../support/DatabaseUrl.ts"
import * as TestDatabase from "../../../support/TestDatabase.ts"

describe("Database", () => {
  it.live("limits the waits of a session, and names its owner", () =>
    Effect.gen(function* () {
      // A Unix socket has no keep-alives.
      const { url } = yield* TestDatabase.TestDatabase
      const byTcp = Layer.fresh(Database.layer({ url: Redacted.make(overTcp(url).href), connections: 1 }))
      const settings = Effect.flatMap(
        PgClient.PgClient,
        (sql) => sql<{ name: string; setting: string }>`
        SELECT name, current_setting(name) AS setting FROM pg_settings
        WHERE name LIKE 'tcp_keepalives%' OR name IN
          ('application_name', 'statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout',
           'client_connection_check_interval')`
      )
      const rows = yield* Effect.provide(settings, byTcp)
      assert.deepStrictEqual(Object.fromEntries(rows.map((row) => [row.name, row.setting])), {
        application_name: `trunkline/${process.pid}`,
        client_connection_check_interval: "500ms",
        idle_in_transaction_session_timeout: "10s",
        lock_timeout: "2s",
        statement_timeout: "5s",
        tcp_keepalives_count: "3",
        tcp_keepalives_idle: "5",
        tcp_keepalives_interval: "2"
      })
    }).pipe(Effect.provide(TestDatabase.layerEmpty))
  )

  it.live("opens no more connections than its limit", () =>
    Effect.gen(function* () {
      const { url } = yield* TestDatabase.TestDatabase
      const pids = yield* Effect.flatMap(PgClient.PgClient, (sql) => {
        const one = Effect.map(sql<{ pid: number }>`SELECT pg_backend_pid() AS pid, pg_sleep(0.2)`, ([row]) => row?.pid)
        return Effect.all(
          Array.from({ length: 12 }, () => one),
          { concurrency: "unbounded" }
        )
      }).pipe(Effect.provide(Database.layer({ url, connections: 3 })))
      assert.strictEqual(new Set(pids).size, 3)
    }).pipe(Effect.provide(TestDatabase.layerEmpty))
  )

  it.live("works again after its sessions were cut off", () =>
    Effect.gen(function* () {
      const { url } = yield* TestDatabase.TestDatabase
      const sql = yield* PgClient.PgClient
      const cut = sql`
        SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE datname = current_database() AND pid <> pg_backend_pid()`
      yield* Effect.gen(function* () {
        const victim = yield* PgClient.PgClient
        yield* victim`SELECT 1`
        yield* cut
        const rows = yield* Effect.retry(victim<{ one: number }>`SELECT 1 AS one`, { times: 1 })
        assert.deepStrictEqual(rows, [{ one: 1 }])
      }).pipe(Effect.provide(Database.layer({ url })))
    }).pipe(Effect.provide(TestDatabase.layerEmpty))
  )
})
