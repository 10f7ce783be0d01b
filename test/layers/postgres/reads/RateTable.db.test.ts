import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { auditRow, systemOrigin } from "../../../../src/domain/access/Origin.ts"
import type { RateWrite } from "../../../../src/domain/numbers/RateSheet.ts"
import { RateTable } from "../../../../src/domain/ports/numbers/RateTable.ts"
import * as PgRateTable from "../../../../src/layers/postgres/reads/RateTable.ts"
import * as TestDatabase from "../../../support/TestDatabase.ts"

const at = Date.parse("2026-11-20T00:00:00Z")
const rate = (prefix: string, per_min_minor: number): RateWrite => ({
  currency: "KES",
  direction: "outbound",
  prefix,
  country: null,
  description: "",
  per_min_minor,
  class: "normal",
  effective_from: at,
  effective_to: null
})
const line = (changed: unknown) =>
  auditRow(systemOrigin, {
    workspace_id: null,
    action_kind: "rate.changed",
    target: { type: "rates", id: "KES" },
    after: changed,
    at
  })

describe("the table of rates", () => {
  it.live("inserts new rates, changes existing ones, and writes the platform's audit log", () =>
    Effect.gen(function* () {
      const table = yield* RateTable
      const sql = yield* SqlClient.SqlClient
      assert.deepStrictEqual(yield* table.upsert([rate("254", 300), rate("256", 400)], line, () => undefined), {
        inserted: 2,
        updated: 0,
        unchanged: 0
      })
      assert.deepStrictEqual(
        yield* table.upsert([rate("254", 300), rate("256", 450), rate("255", 1)], line, () => undefined),
        {
          inserted: 1,
          updated: 1,
          unchanged: 1
        }
      )
      assert.deepStrictEqual(yield* table.upsert([rate("254", 300)], line, () => undefined), {
        inserted: 0,
        updated: 0,
        unchanged: 1
      })
      const listed = yield* table.list({ currency: "KES" }, undefined, 9)
      assert.deepStrictEqual(listed.map(({ per_min_minor, prefix }) => [prefix, per_min_minor]).toSorted(), [
        ["254", 300],
        ["255", 1],
        ["256", 450]
      ])
      assert.deepStrictEqual(yield* table.list({ currency: "UGX" }, undefined, 9), [])
      const lines =
        yield* sql`SELECT after, sequence::int FROM audit_entries WHERE workspace_id IS NULL ORDER BY sequence`
      assert.deepStrictEqual(lines, [
        { after: { inserted: 2, updated: 0, unchanged: 0 }, sequence: 1 },
        { after: { inserted: 1, updated: 1, unchanged: 1 }, sequence: 2 }
      ])
    }).pipe(Effect.provide(Layer.provideMerge(PgRateTable.layer, TestDatabase.layer)))
  )

  it.live("stores all rows of a request or none", () =>
    Effect.gen(function* () {
      const table = yield* RateTable
      const refused = yield* Effect.flip(table.upsert([rate("254", 300), rate("x", 1)], line, () => undefined))
      assert.strictEqual(refused._tag, "NotCommitted")
      assert.deepStrictEqual(yield* table.list({}, undefined, 9), [])
    }).pipe(Effect.provide(Layer.provideMerge(PgRateTable.layer, TestDatabase.layer)))
  )

  it.live("stores nothing for an Idempotency-Key that another process has used meanwhile", () =>
    Effect.gen(function* () {
      const table = yield* RateTable
      const answer = (changed: unknown) => ({
        workspace_id: "0199a000-0000-7000-8000-000000000001",
        method: "POST",
        route: "/v1/admin/rates",
        key: "k",
        fingerprint: "f",
        status: 200,
        body: JSON.stringify(changed),
        headers: {},
        created_at: at
      })
      yield* table.upsert([rate("254", 300)], line, answer)
      const refused = yield* Effect.flip(table.upsert([rate("255", 1)], line, answer))
      assert.strictEqual(refused.reason, "duplicate")
      assert.lengthOf(yield* table.list({}, undefined, 9), 1)
    }).pipe(Effect.provide(Layer.provideMerge(PgRateTable.layer, TestDatabase.layer)))
  )

  it.live("reads CSV with quotes, blank lines and a byte order mark, and refuses a row that is too short", () =>
    Effect.gen(function* () {
      const { rows } = yield* RateTable
      assert.deepStrictEqual(yield* rows('\uFEFFcurrency,description\r\nKES,"a, b"\n\nUGX,\n'), [
        { currency: "KES", description: "a, b" },
        { currency: "UGX", description: "" }
      ])
      assert.strictEqual((yield* Effect.flip(rows("a,b\n1\n")))._tag, "validation.bad_request")
    }).pipe(Effect.provide(Layer.provideMerge(PgRateTable.layer, TestDatabase.layer)))
  )

  it.live("reads long tables part by part, and refuses endless lines and more than 100,000 rows", () =>
    Effect.gen(function* () {
      const { rows, upsert } = yield* RateTable
      const prefixes = Array.from({ length: 1_700 }, (_, n) => String(1_000 + n))
      const table = prefixes.map((prefix) => `${prefix},"é, ${"ü".repeat(30)}"`).join("\n")
      const read = yield* rows(`prefix,description\n${table}\n`)
      assert.deepStrictEqual(
        read,
        prefixes.map((prefix) => ({ prefix, description: `é, ${"ü".repeat(30)}` }))
      )
      const changed = yield* upsert(
        prefixes.map((prefix) => rate(prefix, 1)),
        line,
        () => undefined
      )
      assert.deepStrictEqual(changed, { inserted: 1_700, updated: 0, unchanged: 0 })
      for (const csv of [`a\n${"1\n".repeat(100_001)}`, `a\n${"1,".repeat(50_000)}`]) {
        const { message } = yield* Effect.flip(rows(csv))
        assert.match(message, /more than 100,000 rows|[Mm]ax/)
      }
    }).pipe(Effect.provide(Layer.provideMerge(PgRateTable.layer, TestDatabase.layer)))
  )
})
