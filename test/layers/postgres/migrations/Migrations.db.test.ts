import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import * as Database from "../../../../src/layers/postgres/database/Database.ts"
import { schema } from "../../../../src/layers/postgres/migrations/0110_schema.ts"
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

  it.effect("leaves a database alone that the versions before the first release have completed", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* sql`DELETE FROM schema_migrations`
      yield* applied(["0001_core", "0106_sandbox_network", "0110_conferences"])
      const first = { "0110_schema": schema }
      assert.deepStrictEqual(yield* migrate(first), [])
      const next = { ...first, "0111_next": run("CREATE TABLE next (id int)") }
      assert.deepStrictEqual(yield* migrate(next), ["0111_next"])
      assert.deepStrictEqual(yield* names, ["0001_core", "0106_sandbox_network", "0110_conferences", "0111_next"])
    }).pipe(Effect.provide(TestDatabase.layer))
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
