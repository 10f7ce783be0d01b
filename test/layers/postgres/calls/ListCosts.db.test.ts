// What lists of a huge workspace read, in blocks of the database and not in time: the answer must not depend on how
// rare is what is asked for.
import { PgClient } from "@effect/sql-pg"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { CurrentTenant } from "../../../../src/domain/access/CurrentTenant.ts"
import { CallReads } from "../../../../src/domain/ports/calls/CallReads.ts"
import { makeBlocks } from "../../../../src/layers/postgres/calls/CallBlocks.ts"
import { AuditReads } from "../../../../src/domain/ports/access/AuditReads.ts"
import { DeliveryReads } from "../../../../src/domain/ports/webhooks/DeliveryReads.ts"
import { RecordingReads } from "../../../../src/domain/ports/calls/RecordingReads.ts"
import { TopUpReads } from "../../../../src/domain/ports/money/TopUpReads.ts"
import { WalletReads } from "../../../../src/domain/ports/money/WalletReads.ts"
import * as PgAuditReads from "../../../../src/layers/postgres/reads/AuditReads.ts"
import * as PgDeliveryReads from "../../../../src/layers/postgres/reads/DeliveryReads.ts"
import * as PgRecordingReads from "../../../../src/layers/postgres/reads/RecordingReads.ts"
import * as PgTopUpReads from "../../../../src/layers/postgres/reads/TopUpReads.ts"
import * as PgWalletReads from "../../../../src/layers/postgres/reads/WalletReads.ts"
import * as PgCallReads from "../../../../src/layers/postgres/calls/CallReads.ts"
import * as Database from "../../../../src/layers/postgres/database/Database.ts"
import { fillCalls, newWorkspace } from "../../../support/ManyCalls.ts"
import * as TestDatabase from "../../../support/TestDatabase.ts"
import type { SubscriptionId, WorkspaceId } from "../../../../src/domain/BrandedIds.ts"
import { numberId, subscriptionId, workspaceId } from "../../../support/Ids.ts"
import type { CallFilter } from "../../../../src/domain/calls/views/CallFilter.ts"

/** One connection for requests, so that what it has counted is told when it is asked. */
const oneConnection = Layer.unwrap(
  Effect.map(TestDatabase.TestDatabase, ({ url }) => Database.layer({ url, connections: 1 }))
)
const reads = Layer.mergeAll(
  PgCallReads.layer,
  PgWalletReads.layer,
  PgDeliveryReads.layer,
  PgRecordingReads.layer,
  PgTopUpReads.layer,
  PgAuditReads.layer
)
const database = reads.pipe(Layer.provideMerge(oneConnection), Layer.provide(TestDatabase.layer))

/** Pages of the database that tables and indexes were asked for, from memory or not. */
const blocksRead = Effect.gen(function* () {
  const sql = yield* PgClient.PgClient
  const [row] = yield* sql<{ readonly blocks: bigint }>`
    SELECT sum(heap_blks_read + heap_blks_hit + coalesce(idx_blks_read, 0) + coalesce(idx_blks_hit, 0) + coalesce(toast_blks_read, 0)
      + coalesce(toast_blks_hit, 0))::int8 AS blocks FROM pg_statio_user_tables`
  return Number(row!.blocks)
})

/** How many one run of it reads: the least of three, for PostgreSQL may tidy up meanwhile. */
const cost = <A, E, R>(workspace_id: WorkspaceId, what: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const sql = yield* PgClient.PgClient
    const asTenant = Effect.provideService(CurrentTenant, workspace_id)
    const told = sql`SELECT pg_stat_force_next_flush()`
    const counted = Effect.andThen(Effect.andThen(told, asTenant(told)), blocksRead)
    const runs = yield* Effect.forEach([1, 2, 3], () =>
      Effect.gen(function* () {
        const before = yield* counted
        const result = yield* asTenant(what)
        return { blocks: (yield* counted) - before, result }
      })
    )
    return runs.reduce((least, run) => (run.blocks < least.blocks ? run : least))
  })

/** Fills each table that has a list with 20,000 rows of one workspace, almost all alike. */
const fillOthers = Effect.fnUntraced(function* (workspace_id: WorkspaceId, subscription_id: SubscriptionId) {
  const sql = yield* PgClient.PgClient
  const rows = 20_000
  const at = "timestamptz 'epoch' + n * interval '1 second'"
  // A busy machine needs longer for all of them than the engine ever waits.
  yield* sql`SET statement_timeout = 0`
  const state = "json_build_object('as_long_as_a_state_is', repeat('x', 400))"
  yield* sql.unsafe(
    `INSERT INTO ledger_entries
    SELECT gen_random_uuid(), $1, CASE WHEN n = 5 THEN 'topup' ELSE 'call_charge' END, 1, 1, 'KES', 'call', n::text, '', ${at}, '{}', '{}'
    FROM generate_series(1, ${rows}) n`,
    [workspace_id]
  )
  yield* sql.unsafe(
    `INSERT INTO webhook_subscriptions SELECT $2, $1, 1, '{"revision":1}', 'active', '{}', '{}', now()`,
    [workspace_id, subscription_id]
  )
  yield* sql.unsafe(
    `INSERT INTO deliveries (id, workspace_id, subscription_id, event_id, event_kind, subject_id, sequence, status, attempts, created_at, attempt_log)
    SELECT gen_random_uuid(), $1, $2, gen_random_uuid(), CASE WHEN n = 5 THEN 'number.claimed' WHEN n % 2 = 0 THEN 'call.completed' ELSE 'call.ringing' END,
      gen_random_uuid(), 1, CASE WHEN n % 2 = 0 THEN 'retrying' WHEN n = 7 THEN 'blocked' ELSE 'succeeded' END, 1, ${at}, '[]'
    FROM generate_series(1, ${rows}) n`,
    [workspace_id, subscription_id]
  )
  yield* sql.unsafe(
    `INSERT INTO recordings (id, workspace_id, version, state, call_id, status, created_at)
    SELECT gen_random_uuid(), $1, 1, ${state}, gen_random_uuid(), 'deleted', ${at} FROM generate_series(1, ${rows}) n`,
    [workspace_id]
  )
  yield* sql.unsafe(
    `INSERT INTO topups (id, workspace_id, version, state, provider, status, amount_minor, created_at)
    SELECT gen_random_uuid(), $1, 1, ${state}, 'card', 'failed', 1, ${at} FROM generate_series(1, ${rows}) n`,
    [workspace_id]
  )
  yield* sql.unsafe(
    `INSERT INTO audit_entries (workspace_id, action_kind, actor, target_type, target_id, created_at)
    SELECT $1, CASE WHEN n % 2 = 0 THEN 'api_key.created' ELSE 'api_key.revoked' END,
      CASE WHEN n % 2 = 0 THEN '{"id":"often"}' ELSE '{"id":"other"}' END::json, 'api_key', CASE WHEN n % 2 = 0 THEN 'k1' ELSE 'k2' END, ${at}
    FROM generate_series(1, ${rows}) n`,
    [workspace_id]
  )
  for (const table of ["ledger_entries", "deliveries", "recordings", "topups", "audit_entries"])
    yield* sql.unsafe(`ANALYZE ${table}`)
})

const copies = 5

layer(database, { excludeTestServices: true })("a list of 49,152 calls", (it) => {
  it.effect(
    "reads few rows for every filter, on the first page and on a late one",
    () =>
      Effect.gen(function* () {
        const sql = yield* PgClient.PgClient
        const reads = yield* CallReads
        const id = yield* newWorkspace
        yield* fillCalls(workspaceId(id), {
          calls: 8_192,
          from: 0,
          step_ms: 1,
          status: (n) => (n % 4 === 2 ? "busy" : n % 2 === 0 ? "completed" : "no_answer")
        })
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
          { number_id: numberId(id) },
          { from: "+254700000001", to: "+254711000002" },
          { from: "+254700000001", number_id: numberId("00000000-0000-8000-8000-00000000000b") },
          { to: "+254711000001", status: "no_answer", direction: "outbound", client_reference: "campaign" },
          { from: "nobody" },
          { to: "+254711000001", created_before: 3 },
          { status: "failed", created_after: 0 }
        ]
        const costs = yield* Effect.forEach(filters, (filter) =>
          Effect.forEach([undefined, { at: 25_000, id }], (after) =>
            Effect.map(cost(workspaceId(id), reads.list(workspaceId(id), filter, after, 50)), ({ blocks, result }) => ({
              filter,
              blocks,
              rows: result.length
            }))
          )
        )
        for (const { blocks, filter, rows } of costs.flat()) {
          assert.isAbove(blocks, 2, JSON.stringify(filter))
          assert.isBelow(blocks, 400, `${JSON.stringify(filter)}, ${rows} rows`)
        }
        const scan = yield* cost(
          workspaceId(id),
          sql`SELECT id FROM calls WHERE workspace_id = ${id} AND status = 'failed'`
        )
        assert.isAbove(scan.blocks, 9_000)
      }),
    120_000
  )
})

layer(database, { excludeTestServices: true })("a list of 20,000", (it) => {
  it.effect(
    "entries, deliveries, recordings, top-ups or audit lines reads few rows for every filter",
    () =>
      Effect.gen(function* () {
        const [id, subscription_id] = [yield* newWorkspace, subscriptionId(yield* newWorkspace)]
        yield* fillOthers(workspaceId(id), subscription_id)
        const [wallets, deliveries, recordings, topups, audit] = [
          yield* WalletReads,
          yield* DeliveryReads,
          yield* RecordingReads,
          yield* TopUpReads,
          yield* AuditReads
        ]
        const end = { to: 20_000_000 }
        const asked: Readonly<Record<string, Effect.Effect<ReadonlyArray<unknown>, unknown>>> = {
          "top-ups of a ledger": wallets.statements(workspaceId(id), { kind: "topup" }, undefined, 50),
          "charges of a ledger": wallets.statements(workspaceId(id), { kind: "call_charge" }, undefined, 50),
          "a kind that no entry has": wallets.statements(workspaceId(id), { kind: "number_rental" }, undefined, 50),
          "a page in the depth of a period": wallets.statements(workspaceId(id), end, { at: 5_000_000, id }, 50),
          "deliveries of a rare kind": deliveries.list(
            workspaceId(id),
            subscription_id,
            { event_kind: "number.claimed" },
            undefined,
            50
          ),
          "deliveries in a rare status": deliveries.list(
            workspaceId(id),
            subscription_id,
            { status: "blocked" },
            undefined,
            50
          ),
          "deliveries in no status": deliveries.list(
            workspaceId(id),
            subscription_id,
            { status: "dead_letter" },
            undefined,
            50
          ),
          "deliveries that are pending": deliveries.list(
            workspaceId(id),
            subscription_id,
            { status: "pending", in_flight: [id] },
            undefined,
            50
          ),
          "deliveries in flight": deliveries.list(
            workspaceId(id),
            subscription_id,
            { status: "in_flight", in_flight: [id] },
            undefined,
            50
          ),
          "deliveries of one kind in the status of others": deliveries.list(
            workspaceId(id),
            subscription_id,
            { event_kind: "call.completed", status: "succeeded" },
            undefined,
            50
          ),
          "deliveries, deep": deliveries.list(workspaceId(id), subscription_id, end, { at: 5_000_000, id }, 50),
          "recordings in a rare status": recordings.list(workspaceId(id), { status: "available" }, undefined, 50),
          "top-ups in a rare status": topups.list(workspaceId(id), { status: "pending" }, undefined, 50),
          "lines of a rare kind": audit.list(workspaceId(id), { action_kind: "member.left" }, undefined, 50),
          "lines of nobody": audit.list(workspaceId(id), { actor_id: "nobody" }, undefined, 50),
          "lines of one person and the kind of others": audit.list(
            workspaceId(id),
            { actor_id: "often", action_kind: "api_key.revoked" },
            undefined,
            50
          ),
          "lines on one key of the kind of others": audit.list(
            workspaceId(id),
            { target_id: "k1", action_kind: "api_key.revoked" },
            undefined,
            50
          ),
          "lines, deep": audit.list(workspaceId(id), { actor_id: "often", ...end }, { at: 5_000_000, id }, 50)
        }
        const costs = yield* Effect.forEach(Object.entries(asked), ([name, read]) =>
          Effect.map(cost(workspaceId(id), read), ({ blocks }) => ({ name, blocks }))
        )
        for (const { blocks, name } of costs) {
          assert.isAbove(blocks, 0, name)
          assert.isBelow(blocks, 200, name)
        }
      }),
    120_000
  )
})
