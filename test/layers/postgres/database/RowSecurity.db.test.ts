import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { CurrentTenant } from "../../../../src/domain/access/CurrentTenant.ts"
import { AesVault } from "../../../../src/layers/keyring/AesVault.ts"
import { secureRows } from "../../../../src/layers/postgres/database/RowSecurity.ts"
import { tables } from "../../../../src/layers/postgres/database/Tables.ts"
import { demoWorkspace, insertRows, otherWorkspace } from "../../../../src/layers/postgres/seed/SeedRows.ts"
import * as TestDatabase from "../../../support/TestDatabase.ts"
import type { WorkspaceId } from "../../../../src/domain/BrandedIds.ts"
import { workspaceId } from "../../../support/Ids.ts"

const seeded = Layer.effectDiscard(insertRows("default")).pipe(
  Layer.provide(AesVault(new Uint8Array(32).fill(7))),
  Layer.provideMerge(TestDatabase.layer)
)

const as = (workspace_id: WorkspaceId) => Effect.provideService(CurrentTenant, workspace_id)
const nobody = workspaceId("00000000-0000-4000-8000-000000000000")

/** Every table with a workspace, by the catalogue. */
const tenantTables = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<{ readonly name: string; readonly column: string }>`
    SELECT c.relname AS name, a.attname AS column FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
    WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition AND c.relnamespace = 'public'::regnamespace AND NOT a.attisdropped
      AND a.attname = CASE c.relname WHEN 'workspaces' THEN 'id' ELSE 'workspace_id' END`
  return rows
})

const whose = ({ column, name }: { readonly column: string; readonly name: string }) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    sql.unsafe<{ readonly owner: string | null }>(`SELECT DISTINCT ${column}::text AS owner FROM ${name}`)
  ).pipe(Effect.map((rows) => rows.map(({ owner }) => owner)))

describe("the register of tables", () => {
  it.live("names every table, and each table that has a workspace has its policy", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const found = yield* sql<{ readonly name: string; readonly secured: boolean; readonly readable: boolean }>`
        SELECT c.relname AS name, c.relrowsecurity AND EXISTS (SELECT FROM pg_policy WHERE polrelid = c.oid) AS secured,
          has_table_privilege('trunkline_requests', c.oid, 'SELECT') AS readable
        FROM pg_class c
        WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition AND c.relnamespace = 'public'::regnamespace`
      assert.sameMembers(
        found.map(({ name }) => name),
        Object.keys(tables)
      )
      const secured = found.filter((table) => table.secured).map(({ name }) => name)
      assert.includeMembers(
        secured,
        (yield* tenantTables).map(({ name }) => name)
      )
      for (const { name, readable } of found) {
        const access = tables[name]
        assert.strictEqual(readable, access !== "engine", name)
        assert.strictEqual(secured.includes(name), access !== "engine" && access !== "everyone", name)
      }
    }).pipe(Effect.provide(TestDatabase.layer))
  )
})

describe("what is read for a request", () => {
  it.live("is the workspace's own, in every table with a workspace", () =>
    Effect.gen(function* () {
      const tables = yield* tenantTables
      assert.isAbove(tables.length, 8)
      let seen = 0
      for (const table of tables) {
        const all = yield* whose(table)
        const mine = yield* as(demoWorkspace.id)(whose(table))
        const shop = table.name === "numbers" ? [null] : []
        assert.deepStrictEqual(
          yield* as(nobody)(whose(table)),
          shop,
          `${table.name}, for a workspace that does not exist`
        )
        assert.deepStrictEqual(yield* as(workspaceId(""))(whose(table)), shop, `${table.name}, for no workspace`)
        assert.deepStrictEqual(
          mine.toSorted(),
          all.filter((owner) => owner === demoWorkspace.id || (shop.length > 0 && owner === null)).toSorted()
        )
        if (all.includes(otherWorkspace.id)) seen++
      }
      assert.isAbove(seen, 1, "the other workspace has rows that were not seen")
    }).pipe(Effect.provide(seeded))
  )

  it.live("cannot write, and cannot switch to another role", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const refused = (statement: string) =>
        Effect.map(
          Effect.flip(as(demoWorkspace.id)(sql.unsafe(statement))),
          (error) => (error.reason.cause as { readonly code?: string }).code
        )
      assert.strictEqual(yield* refused("UPDATE workspaces SET name = 'x'"), "25006")
      assert.strictEqual(yield* refused("SELECT * FROM schema_migrations"), "42501")
      assert.strictEqual(yield* refused("SELECT * FROM alarms"), "42501")
      for (const { id } of [demoWorkspace, otherWorkspace]) {
        yield* sql`INSERT INTO ledger_entries ${sql.insert({
          id,
          workspace_id: id,
          kind: "topup",
          amount_minor: 1,
          balance_after_minor: 1,
          currency: "KES",
          reference_type: "topup",
          reference_id: id,
          description: "",
          created_at: new Date(0),
          actor: "{}",
          metadata: "{}"
        })}`
        yield* sql`INSERT INTO ledger_lines ${sql.insert({ entry_id: id, account: `workspace:${id}:cash`, amount_minor: 1 })}`
      }
      const lines = sql<{ readonly account: string }>`SELECT account FROM ledger_lines`
      const accounts = (yield* as(demoWorkspace.id)(lines)).map(({ account }) => account)
      assert.include(accounts, `workspace:${demoWorkspace.id}:cash`)
      assert.notInclude(accounts, `workspace:${otherWorkspace.id}:cash`)
      assert.include(
        (yield* lines).map(({ account }) => account),
        `workspace:${otherWorkspace.id}:cash`
      )
      const [who] = yield* as(demoWorkspace.id)(sql<{ readonly name: string; readonly bypass: boolean }>`
        SELECT current_user::text AS name, rolbypassrls OR rolsuper AS bypass FROM pg_roles WHERE rolname = current_user`)
      assert.deepStrictEqual(who, { name: "trunkline_requests", bypass: false })
    }).pipe(Effect.provide(seeded))
  )

  it.live("is separate for each request, although requests share sessions", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const owners = Effect.map(sql<{ readonly id: string }>`SELECT id::text FROM workspaces`, (rows) =>
        rows.map(({ id }) => id)
      )
      const both = [demoWorkspace.id, otherWorkspace.id]
      const answers = yield* Effect.all(
        Array.from({ length: 200 }, (_, index) =>
          Effect.map(as(both[index % 2]!)(owners), (seen) => [both[index % 2], seen] as const)
        ),
        { concurrency: 40 }
      )
      for (const [tenant, seen] of answers) assert.deepStrictEqual(seen, [tenant!])
      assert.strictEqual((yield* owners).length, 2)
    }).pipe(Effect.provide(seeded))
  )

  it.live("uses a role that can change nothing, whatever was granted by hand", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const writable = sql<{ readonly name: string; readonly right: string }>`
        SELECT c.relname AS name, r.name AS right
        FROM pg_class c CROSS JOIN unnest(ARRAY['INSERT', 'UPDATE', 'DELETE', 'TRUNCATE']) AS r (name)
        WHERE c.relkind IN ('r', 'p') AND c.relnamespace = 'public'::regnamespace AND has_table_privilege('trunkline_requests', c.oid, r.name)`
      assert.deepStrictEqual(yield* writable, [])
      yield* sql`GRANT INSERT, UPDATE ON ledger_entries TO trunkline_requests`
      assert.lengthOf(yield* writable, 2)
      yield* secureRows
      assert.deepStrictEqual(yield* writable, [])
      const refused = yield* Effect.flip(as(demoWorkspace.id)(sql`DELETE FROM ledger_lines`))
      assert.include(String((refused.reason as { readonly cause?: unknown }).cause), "read-only transaction")
    }).pipe(Effect.provide(seeded))
  )
})
