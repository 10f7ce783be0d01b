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

  it.effect("migrates the workspaces of an older version to actors with their numbers", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* migrate(Object.fromEntries(Object.entries(migrations).filter(([name]) => name < "0004")))
      const id = (n: number) => `0199a000-0000-7000-8000-00000000000${n}`
      const row = (n: number) => ({
        id: id(n),
        name: `w${n}`,
        currency: "KES",
        tenant_pbx_id: `w${n}`,
        gateway_id: "g",
        voice_secret: "",
        created_at: new Date(0)
      })
      yield* sql`INSERT INTO workspaces ${sql.insert([row(1), row(2)])}`
      yield* sql`INSERT INTO numbers ${sql.insert({
        id: id(3),
        workspace_id: id(1),
        number: "+254700000001",
        status: "active",
        source: "platform",
        country: "KE",
        type: "local",
        capabilities: "{voice}"
      })}`
      yield* migrate()
      const rows =
        yield* sql`SELECT name, version, number_mode, retention_days, state->'members' AS members FROM workspaces ORDER BY name`
      const migrated = { version: 1, retention_days: 90, members: {} }
      assert.deepStrictEqual(rows, [
        { name: "w1", number_mode: "platform", ...migrated },
        { name: "w2", number_mode: "unset", ...migrated }
      ])
    }).pipe(Effect.provide(TestDatabase.layerEmpty))
  )

  it.effect("numbers the entries of an older version's wallets in the order of their balances", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* migrate(Object.fromEntries(Object.entries(migrations).filter(([name]) => name < "0090")))
      const wallet = "0199a000-0000-7000-8000-000000000001"
      const count = 25_000
      yield* sql`INSERT INTO wallets VALUES (${wallet}, 1, '{"v":1,"sequence":2}', 'KES', ${10_000_000 - 3 * count}, 0, 0, now())`
      // Charges of one second each have one instant, and their ids are at random.
      yield* sql`
        INSERT INTO ledger_entries
        SELECT gen_random_uuid(), ${wallet}, CASE WHEN n = 0 THEN 'topup' ELSE 'call_charge' END,
          CASE WHEN n = 0 THEN 10000000 ELSE -3 END, 10000000 - 3 * n, 'KES', 'call', n::text, '',
          timestamptz 'epoch' + (n / 1000) * interval '1 second', '{}', '{}'
        FROM generate_series(0, ${count}) n`
      yield* sql`
        INSERT INTO ledger_entries
        VALUES (gen_random_uuid(), NULL, 'suspense', 5, 0, 'KES', 'receipt', 'R1', '', now(), '{}', '{}')`
      yield* migrate()
      const misplaced = yield* sql`
        SELECT FROM ledger_entries WHERE workspace_id IS NOT NULL AND sequence IS DISTINCT FROM reference_id::int8 + 1`
      assert.lengthOf(misplaced, 0)
      assert.deepStrictEqual(yield* sql`SELECT sequence FROM ledger_entries WHERE workspace_id IS NULL`, [
        { sequence: null }
      ])
      assert.deepStrictEqual(yield* sql`SELECT state ->> 'entries' AS entries, state ->> 'v' AS v FROM wallets`, [
        { entries: String(count + 1), v: "1" }
      ])
      const refused = yield* Effect.flip(sql`UPDATE ledger_entries SET sequence = 1`)
      assert.include(String(refused.reason.cause), "append-only")
    }).pipe(Effect.provide(TestDatabase.layerEmpty))
  )

  it.effect("moves the workspaces of an older version to their network, and refuses any other from then on", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* migrate(Object.fromEntries(Object.entries(migrations).filter(([name]) => name < "0106")))
      const [live, mistaken] = ["0199a000-0000-7000-8000-000000000001", "0199a000-0000-7000-8000-000000000002"]
      const [sandbox, lost] = ["7e577e57-0000-8000-8000-000000000001", "7e577e57-ffff-8fff-8fff-ffffffffffff"]
      const row = (id: string, gateway_id: string) => ({
        id,
        gateway_id,
        name: id,
        tenant_pbx_id: id,
        voice_secret: "",
        created_at: new Date(0)
      })
      yield* sql`INSERT INTO workspaces ${sql.insert([
        row(live!, "default"),
        row(mistaken!, "sandbox"),
        row(sandbox!, "sandbox"),
        row(lost!, "default")
      ])}`
      yield* migrate()
      assert.deepStrictEqual(yield* sql`SELECT id, gateway_id FROM workspaces ORDER BY id`, [
        { id: live, gateway_id: "default" },
        { id: mistaken, gateway_id: "unassigned" },
        { id: sandbox, gateway_id: "sandbox" },
        { id: lost, gateway_id: "sandbox" }
      ])
      for (const refused of [
        sql`UPDATE workspaces SET gateway_id = 'sandbox' WHERE id = ${live}`,
        sql`UPDATE workspaces SET gateway_id = 'default' WHERE id = ${sandbox}`,
        sql`INSERT INTO workspaces ${sql.insert(row("0199a000-0000-7000-8000-000000000003", "sandbox"))}`,
        sql`INSERT INTO workspaces ${sql.insert(row("7e577e57-0000-8000-8000-000000000003", "default"))}`
      ])
        assert.include(String((yield* Effect.flip(refused)).reason.cause), "workspaces_network")
    }).pipe(Effect.provide(TestDatabase.layerEmpty))
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
