// What lists of a huge workspace read, in blocks of the database and not in time: the answer must not depend on how rare is
// what is asked for.
import { PgClient } from "@effect/sql-pg"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { CurrentTenant } from "../../../src/domain/access/CurrentTenant.ts"
import { type CallFilter, CallReads } from "../../../src/domain/ports/CallReads.ts"
import { makeBlocks } from "../../../src/layers/postgres/CallBlocks.ts"
import * as PgCallReads from "../../../src/layers/postgres/CallReads.ts"
import * as Database from "../../../src/layers/postgres/Database.ts"
import { fillCalls, newWorkspace } from "../../support/ManyCalls.ts"
import * as TestDatabase from "../../support/TestDatabase.ts"

/** One connection for requests, so that what it has counted is told when it is asked. */
const oneConnection = Layer.unwrap(Effect.map(TestDatabase.TestDatabase, ({ url }) => Database.layer({ url, connections: 1 })))
const database = PgCallReads.layer.pipe(Layer.provideMerge(oneConnection), Layer.provide(TestDatabase.layer))

/** Pages of the database that tables and indexes were asked for, from memory or not. */
const blocksRead = Effect.gen(function*() {
  const sql = yield* PgClient.PgClient
  const [row] = yield* sql<{ readonly blocks: bigint }>`
    SELECT sum(heap_blks_read + heap_blks_hit + coalesce(idx_blks_read, 0) + coalesce(idx_blks_hit, 0) + coalesce(toast_blks_read, 0)
      + coalesce(toast_blks_hit, 0))::int8 AS blocks FROM pg_statio_user_tables`
  return Number(row!.blocks)
})

/** How many one run of it reads: the least of three, for PostgreSQL may tidy up meanwhile. */
const cost = <A, E, R>(workspace_id: string, what: Effect.Effect<A, E, R>) =>
  Effect.gen(function*() {
    const sql = yield* PgClient.PgClient
    const asTenant = Effect.provideService(CurrentTenant, workspace_id)
    const told = sql`SELECT pg_stat_force_next_flush()`
    const counted = Effect.andThen(Effect.andThen(told, asTenant(told)), blocksRead)
    const runs = yield* Effect.forEach([1, 2, 3], () =>
      Effect.gen(function*() {
        const before = yield* counted
        const result = yield* asTenant(what)
        return { blocks: (yield* counted) - before, result }
      }))
    return runs.reduce((least, run) => (run.blocks < least.blocks ? run : least))
  })

const copies = 5

layer(database, { excludeTestServices: true })("a list of 49,152 calls", (it) => {
  it.effect("reads little, whatever is asked for, from the beginning and from its depth", () =>
    Effect.gen(function*() {
      const sql = yield* PgClient.PgClient
      const reads = yield* CallReads
      const id = yield* newWorkspace
      yield* fillCalls(id, { calls: 8_192, from: 0, step_ms: 1, status: (n) => (n % 4 === 2 ? "busy" : n % 2 === 0 ? "completed" : "no_answer") })
      yield* sql`
        INSERT INTO calls (id, workspace_id, session_id, number_id, version, state, status, direction, from_e164, to_e164,
          client_reference, created_at, answered_at, cost_minor)
        SELECT gen_random_uuid(), workspace_id, session_id || ':' || n, number_id, version, state, status, direction, from_e164, to_e164,
          client_reference, created_at + n * interval '10 seconds', answered_at, cost_minor
        FROM calls CROSS JOIN generate_series(1, ${copies}) n`
      yield* sql`ANALYZE calls`
      assert.strictEqual((yield* makeBlocks(sql)).made, 24)
      const filters: ReadonlyArray<CallFilter> = [
        {},
        { status: "completed" },
        { status: "canceled" },
        { status: "answered" },
        { direction: "inbound", status: "completed" },
        { number_id: id },
        { from: "+254700000001", to: "+254711000002" },
        { from: "+254700000001", number_id: "00000000-0000-8000-8000-00000000000b" },
        { to: "+254711000001", status: "no_answer", direction: "outbound", client_reference: "campaign" },
        { from: "nobody" },
        { to: "+254711000001", created_before: 3 },
        { status: "failed", created_after: 0 }
      ]
      const costs = yield* Effect.forEach(filters, (filter) =>
        Effect.forEach([undefined, { at: 25_000, id }], (after) =>
          Effect.map(cost(id, reads.list(id, filter, after, 50)), ({ blocks, result }) => ({ filter, blocks, rows: result.length }))))
      for (const { blocks, filter, rows } of costs.flat()) {
        assert.isAbove(blocks, 2, JSON.stringify(filter))
        assert.isBelow(blocks, 400, `${JSON.stringify(filter)}, ${rows} rows`)
      }
      const scan = yield* cost(id, sql`SELECT id FROM calls WHERE workspace_id = ${id} AND status = 'failed'`)
      assert.isAbove(scan.blocks, 9_000)
    }), 120_000)
})
