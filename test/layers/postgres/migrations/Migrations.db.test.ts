import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import * as Database from "../../../../src/layers/postgres/database/Database.ts"
import { type Migration, migrate, migrations } from "../../../../src/layers/postgres/migrations/Migrations.ts"
import * as TestDatabase from "../../../support/TestDatabase.ts"

const run = (statement: string): Migration =>
  Effect.flatMap(SqlClient.SqlClient, (sql) => Effect.asVoid(sql.unsafe(statement)))

const names = Effect.flatMap(SqlClient.SqlClient, (sql) => sql`SELECT name FROM schema_migrations ORDER BY name`).pipe(
  Effect.map((rows) => rows.map((row) => row["name"]))
)

const applied = Effect.fnUntraced(function* (all: ReadonlyArray<string>) {
  const sql = yield* SqlClient.SqlClient
  for (const name of all) yield* sql`INSERT INTO schema_migrations (name) VALUES (${name})`
})

/** The schema of databases before the migrations that followed the first. */
const firstSchema = Object.fromEntries(Object.entries(migrations).slice(0, 1))

describe("migrate", () => {
  it.effect("applies each migration once, in order", () =>
    Effect.gen(function* () {
      const first = { "0001_a": run("CREATE TABLE a (id int PRIMARY KEY)") }
      assert.deepStrictEqual(yield* migrate(first), ["0001_a"])
      assert.deepStrictEqual(yield* migrate(first), [])
      const second = { ...first, "0002_b": run("CREATE TABLE b (id int REFERENCES a)") }
      assert.deepStrictEqual(yield* migrate(second), ["0002_b"])
      assert.deepStrictEqual(yield* names, ["0001_a", "0002_b"])
    }).pipe(Effect.provide(TestDatabase.layerEmpty))
  )

  it.effect("applies once when two processes start together, and both succeed", () =>
    Effect.gen(function* () {
      const { url } = yield* TestDatabase.TestDatabase
      const slow = { "0001_slow": Effect.andThen(run("CREATE TABLE slow (id int)"), run("SELECT pg_sleep(0.2)")) }
      const process = Effect.provide(migrate(slow), Database.layer({ url, connections: 1 }))
      const both = yield* Effect.all([process, process], { concurrency: 2 })
      assert.deepStrictEqual(both.flat(), ["0001_slow"])
      assert.deepStrictEqual(yield* names, ["0001_slow"])
    }).pipe(Effect.provide(TestDatabase.layerEmpty))
  )

  it.effect("leaves nothing behind when one fails", () =>
    Effect.gen(function* () {
      const broken = { "0001_a": run("CREATE TABLE a (id int)"), "0002_broken": run("CREATE TABLE a (id int)") }
      const error = yield* Effect.flip(migrate(broken))
      assert.strictEqual(error._tag, "SqlError")
      const sql = yield* SqlClient.SqlClient
      const rows = yield* sql`SELECT to_regclass('a')::text AS a, to_regclass('schema_migrations')::text AS list`
      assert.deepStrictEqual(rows, [{ a: null, list: null }])
    }).pipe(Effect.provide(TestDatabase.layerEmpty))
  )

  it.effect("refuses a database that a newer version has migrated", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* sql`INSERT INTO schema_migrations (name) VALUES ('9999_future')`
      const error = yield* Effect.flip(migrate())
      assert.strictEqual(error._tag, "UnknownMigrations")
      assert.include(error.message, "9999_future")
    }).pipe(Effect.provide(TestDatabase.layer))
  )

  it.effect("holds this program's own migrations in the order of their numbers", () =>
    Effect.gen(function* () {
      const known = Object.keys(migrations)
      assert.deepStrictEqual(known, known.toSorted())
      assert.deepStrictEqual(yield* names, known)
      assert.isTrue(known.every((name) => /^\d{4}_[a-z_]+$/.test(name)))
    }).pipe(Effect.provide(TestDatabase.layer))
  )

  it.effect("goes on from a database that the versions before the first release have completed", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* migrate(firstSchema)
      yield* sql`DELETE FROM schema_migrations`
      yield* applied(["0001_core", "0106_sandbox_network", "0110_conferences"])
      assert.deepStrictEqual(yield* migrate(firstSchema), [])
      const later = Object.keys(migrations).filter((name) => name !== "0110_schema")
      assert.deepStrictEqual(yield* migrate(), later)
      const next = { ...migrations, "0999_next": run("CREATE TABLE next (id int)") }
      assert.deepStrictEqual(yield* migrate(next), ["0999_next"])
      const before = ["0001_core", "0106_sandbox_network", "0110_conferences"]
      assert.deepStrictEqual(yield* names, [...before, ...later, "0999_next"])
    }).pipe(Effect.provide(TestDatabase.layerEmpty))
  )

  it.effect("finds what the subscriptions of an older database wait for", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* migrate(firstSchema)
      const workspace_id = "0199a000-0000-7000-8000-00000000000a"
      const row = (id: number, status: string, kinds: string, number_ids: string) => sql`
        INSERT INTO webhook_subscriptions (id, workspace_id, version, state, status, kinds, number_ids, created_at)
        VALUES (${subscription(id)}, ${workspace_id}, 1, '{}', ${status}, ${kinds}::text[], ${number_ids}::text[], now())`
      const subscription = (id: number) => `0199a000-0000-7000-8000-00000000000${id}`
      yield* row(1, "active", "{call.busy,call.completed}", "{}")
      yield* row(2, "active", "{call.busy,call.completed}", "{n1,n2,n1}")
      yield* row(3, "paused", "{call.busy}", "{}")
      yield* row(4, "deleted", "{call.busy}", "{n1}")
      yield* row(5, "active", "{}", "{}")
      yield* migrate()
      const topics = yield* sql`SELECT workspace_id, subscription_id, topic FROM webhook_topics ORDER BY 2, 3`
      assert.deepStrictEqual(
        topics,
        [
          [1, subscription(1)],
          [1, "call.busy"],
          [1, "call.completed"],
          [2, subscription(2)],
          [2, "n1"],
          [2, "n2"],
          [5, subscription(5)]
        ].map(([id, topic]) => ({ workspace_id, subscription_id: subscription(Number(id)), topic }))
      )
      yield* sql`DELETE FROM webhook_subscriptions`
      assert.deepStrictEqual(yield* sql`SELECT * FROM webhook_topics`, [])
    }).pipe(Effect.provide(TestDatabase.layerEmpty))
  )

  it.effect("finds the sources and the URLs of calls in the subscriptions of an older database", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* migrate(firstSchema)
      const made = (source: string, url: string) => sql`
        INSERT INTO webhook_subscriptions (id, workspace_id, version, state, status, kinds, number_ids, created_at)
        VALUES (gen_random_uuid(), gen_random_uuid(), 1, ${JSON.stringify({ source, url })}, 'active', '{}', '{}', now())`
      yield* made("call", "https://example.com/calls")
      yield* made("api", "https://example.com/all")
      yield* migrate()
      assert.deepStrictEqual(yield* sql`SELECT source, call_url FROM webhook_subscriptions ORDER BY 1`, [
        { source: "api", call_url: null },
        { source: "call", call_url: "https://example.com/calls" }
      ])
    }).pipe(Effect.provide(TestDatabase.layerEmpty))
  )

  it.effect("refuses a database that a version before the first release has not completed", () =>
    Effect.gen(function* () {
      yield* migrate({ "0001_core": run("CREATE TABLE workspaces (id int)") })
      yield* applied(["0105_event_order", "0106_sandbox_network"])
      const error = yield* Effect.flip(migrate())
      assert.strictEqual(error._tag, "UnfinishedSchema")
      assert.include(error.message, "its last migration is 0106_sandbox_network")
      assert.deepStrictEqual(yield* names, ["0001_core", "0105_event_order", "0106_sandbox_network"])
    }).pipe(Effect.provide(TestDatabase.layerEmpty))
  )

  it.effect("refuses sandboxes outside of the simulated network, and other workspaces on it", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const row = (id: string, gateway_id: string) => ({
        id,
        gateway_id,
        name: id,
        tenant_pbx_id: id,
        voice_secret: "",
        created_at: new Date(0)
      })
      const [live, sandbox] = ["0199a000-0000-7000-8000-000000000001", "7e577e57-ffff-8fff-8fff-ffffffffffff"]
      yield* sql`INSERT INTO workspaces ${sql.insert([row(live!, "default"), row(sandbox!, "sandbox")])}`
      for (const refused of [
        sql`UPDATE workspaces SET gateway_id = 'sandbox' WHERE id = ${live}`,
        sql`UPDATE workspaces SET gateway_id = 'default' WHERE id = ${sandbox}`,
        sql`INSERT INTO workspaces ${sql.insert(row("0199a000-0000-7000-8000-000000000003", "sandbox"))}`,
        sql`INSERT INTO workspaces ${sql.insert(row("7e577e57-0000-8000-8000-000000000003", "default"))}`
      ])
        assert.include(String((yield* Effect.flip(refused)).reason.cause), "workspaces_network")
    }).pipe(Effect.provide(TestDatabase.layer))
  )

  it.effect("outlasts the time limits of a session while it waits and works", () =>
    Effect.gen(function* () {
      const limits = yield* Effect.flatMap(SqlClient.SqlClient, (sql) => sql`SHOW statement_timeout`)
      assert.deepStrictEqual(limits, [{ statement_timeout: "5s" }])
      const seen: Migration = Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        assert.deepStrictEqual(yield* sql`SHOW statement_timeout`, [{ statement_timeout: "0" }])
        assert.deepStrictEqual(yield* sql`SHOW lock_timeout`, [{ lock_timeout: "0" }])
      })
      yield* migrate({ "0001_seen": seen })
    }).pipe(Effect.provide(TestDatabase.layerEmpty))
  )
})
