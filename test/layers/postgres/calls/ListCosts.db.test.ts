// What lists of a huge workspace read, in blocks of the database and not in time: the answer must not depend on how
// rare is what is asked for.
import { PgClient } from "@effect/sql-pg"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { CurrentTenant } from "../../../../src/domain/access/CurrentTenant.ts"
import { CallHistory } from "../../../../src/domain/ports/calls/CallHistory.ts"
import { CallReads } from "../../../../src/domain/ports/calls/CallReads.ts"
import { makeBlocks } from "../../../../src/layers/postgres/calls/CallBlocks.ts"
import { AuditReads } from "../../../../src/domain/ports/access/AuditReads.ts"
import { DeliveryReads } from "../../../../src/domain/ports/webhooks/DeliveryReads.ts"
import { NumberReads } from "../../../../src/domain/ports/numbers/NumberReads.ts"
import { RecordingReads } from "../../../../src/domain/ports/calls/RecordingReads.ts"
import { TopUpReads } from "../../../../src/domain/ports/money/TopUpReads.ts"
import { SubscriptionReads } from "../../../../src/domain/ports/webhooks/SubscriptionReads.ts"
import { WalletReads } from "../../../../src/domain/ports/money/WalletReads.ts"
import * as PgAuditReads from "../../../../src/layers/postgres/reads/AuditReads.ts"
import * as PgDeliveryReads from "../../../../src/layers/postgres/reads/DeliveryReads.ts"
import * as PgNumberReads from "../../../../src/layers/postgres/reads/NumberReads.ts"
import * as PgRecordingReads from "../../../../src/layers/postgres/reads/RecordingReads.ts"
import * as PgSubscriptionReads from "../../../../src/layers/postgres/reads/SubscriptionReads.ts"
import * as PgTopUpReads from "../../../../src/layers/postgres/reads/TopUpReads.ts"
import * as PgWalletReads from "../../../../src/layers/postgres/reads/WalletReads.ts"
import * as PgCallHistory from "../../../../src/layers/postgres/calls/CallHistory.ts"
import { deliveryId } from "../../../../src/layers/postgres/journal/JournalWrites.ts"
import * as PgCallReads from "../../../../src/layers/postgres/calls/CallReads.ts"
import { ChangeFeed } from "../../../../src/layers/postgres/cache/ChangeFeed.ts"
import * as Database from "../../../../src/layers/postgres/database/Database.ts"
import { fillCalls, newWorkspace } from "../../../support/ManyCalls.ts"
import * as TestDatabase from "../../../support/TestDatabase.ts"
import type { SubscriptionId, WorkspaceId } from "../../../../src/domain/BrandedIds.ts"
import { callId, numberId, subscriptionId, workspaceId } from "../../../support/Ids.ts"
import type { CallFilter } from "../../../../src/domain/calls/views/CallFilter.ts"

/** One connection for requests, so that what it has counted is told when it is asked. */
const oneConnection = Layer.unwrap(
  Effect.map(TestDatabase.TestDatabase, ({ url }) => Database.layer({ url, connections: 1 }))
)
/** Listening would take the connection. */
const noChanges = Layer.mock(ChangeFeed)({ listening: () => true, subscribe: () => Effect.void, caughtUp: Effect.void })
const reads = Layer.mergeAll(
  PgCallReads.layer,
  PgWalletReads.layer,
  PgDeliveryReads.layer,
  PgRecordingReads.layer,
  PgTopUpReads.layer,
  PgAuditReads.layer,
  PgCallHistory.layer,
  PgNumberReads.layer,
  PgSubscriptionReads.layer.pipe(Layer.provide(noChanges))
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

/** The engine gives a statement up after five seconds. On a busy machine, the rows of a test take longer to make. */
const withoutLimit = <A, E, R>(fill: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const sql = yield* PgClient.PgClient
    yield* sql`SET statement_timeout = 0`
    const filled = yield* fill
    yield* sql`RESET statement_timeout`
    return filled
  })

/** Fills each table that has a list with 20,000 rows of one workspace, almost all alike. */
const fillOthers = Effect.fnUntraced(function* (workspace_id: WorkspaceId, subscription_id: SubscriptionId) {
  const sql = yield* PgClient.PgClient
  const rows = 20_000
  const at = "timestamptz 'epoch' + n * interval '1 second'"
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
  yield* sql.unsafe(
    `INSERT INTO numbers (id, workspace_id, number, status, source, country, type, capabilities, claimed_at)
    SELECT gen_random_uuid(), $1, '+25471' || 1000000 + n, CASE WHEN n = 5 THEN 'suspended' ELSE 'active' END, 'platform', 'KE', 'mobile',
      '{}', CASE WHEN n > 9 THEN ${at} END FROM generate_series(1, ${rows}) n`,
    [workspace_id]
  )
  for (const table of ["numbers", "ledger_entries", "deliveries", "recordings", "topups", "audit_entries"])
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
        const fill = fillCalls(workspaceId(id), {
          calls: 8_192,
          from: 0,
          step_ms: 1,
          status: (n) => (n % 4 === 2 ? "busy" : n % 2 === 0 ? "completed" : "no_answer")
        })
        const copy = sql`
        INSERT INTO calls (id, workspace_id, session_id, number_id, version, state, status, direction, from_e164, to_e164,
          client_reference, created_at, answered_at, cost_minor)
        SELECT gen_random_uuid(), workspace_id, session_id || ':' || n, number_id, version, state, status, direction, from_e164, to_e164,
          client_reference, created_at + n * interval '10 seconds', answered_at, cost_minor
        FROM calls CROSS JOIN generate_series(1, ${copies}) n`
        yield* withoutLimit(Effect.andThen(Effect.andThen(fill, copy), sql`ANALYZE calls`))
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
    "numbers, entries, deliveries, recordings, top-ups or audit lines reads few rows for every filter",
    () =>
      Effect.gen(function* () {
        const [id, subscription_id] = [yield* newWorkspace, subscriptionId(yield* newWorkspace)]
        yield* withoutLimit(fillOthers(workspaceId(id), subscription_id))
        const [wallets, deliveries, recordings, topups, audit] = [
          yield* WalletReads,
          yield* DeliveryReads,
          yield* RecordingReads,
          yield* TopUpReads,
          yield* AuditReads
        ]
        const end = { to: 20_000_000 }
        const { list } = yield* NumberReads
        const asked: Readonly<Record<string, Effect.Effect<ReadonlyArray<unknown>, unknown>>> = {
          numbers: list(workspaceId(id), {}, undefined, 50),
          "numbers, deep": list(workspaceId(id), {}, { at: 5_000_000, id }, 50),
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

layer(database, { excludeTestServices: true })(
  "a workspace with 20,000 numbers that have webhook subscriptions",
  (it) => {
    const filled = Effect.gen(function* () {
      const sql = yield* PgClient.PgClient
      const id = workspaceId(yield* newWorkspace)
      const made = (rows: number, source: string) => sql`
        INSERT INTO webhook_subscriptions (id, workspace_id, version, state, status, kinds, number_ids, created_at)
        SELECT gen_random_uuid(), ${id}, 1, json_build_object('source', ${source}::text, 'as_long_as_a_state_is', repeat('x', 400)),
          'active', '{}', ARRAY[gen_random_uuid()::text], timestamptz 'epoch' + n * interval '1 second'
        FROM generate_series(1, ${rows}) n`
      yield* withoutLimit(
        Effect.andThen(
          Effect.andThen(made(20_000, "number_routing"), made(7, "api")),
          sql`ANALYZE webhook_subscriptions`
        )
      )
      const scan = sql`SELECT count(state->>'source') FROM webhook_subscriptions WHERE workspace_id = ${id}`
      assert.isAbove((yield* cost(id, scan)).blocks, 1_000)
      return id
    })

    it.effect(
      "reads few rows to count the subscriptions that it has made",
      () =>
        Effect.gen(function* () {
          const id = yield* filled
          const { countCreated } = yield* SubscriptionReads
          const { blocks, result } = yield* cost(id, countCreated(id))
          assert.strictEqual(result, 7)
          assert.isBelow(blocks, 50)
        }),
      120_000
    )

    it.effect(
      "reads few rows for the timeline of a call, and finds what the subscription of its number was sent",
      () =>
        Effect.gen(function* () {
          const sql = yield* PgClient.PgClient
          const id = yield* filled
          yield* fillCalls(id, { calls: 1, from: 0, step_ms: 1 })
          const [call] = yield* sql<{ readonly id: string; readonly number_id: string }>`
          SELECT id::text, number_id::text FROM calls WHERE workspace_id = ${id}`
          yield* sql`
          INSERT INTO events (id, workspace_id, subject_id, sequence, kind, occurred_at, recorded_at, late, payload)
          SELECT gen_random_uuid(), ${id}, ${call!.id}, n, 'call.ringing', now(), now(), false, '{}' FROM generate_series(1, 5) n`
          yield* sql`
          UPDATE webhook_subscriptions SET number_ids = ARRAY[${call!.number_id}::text]
          WHERE id = (SELECT id FROM webhook_subscriptions WHERE workspace_id = ${id} AND source = 'number_routing' LIMIT 1)`
          yield* sql.unsafe(
            `INSERT INTO deliveries (id, workspace_id, subscription_id, event_id, event_kind, subject_id, sequence, status, attempts, created_at, attempt_log)
          SELECT ${deliveryId("e.id", "s.id")}, $1, s.id, e.id, e.kind, e.subject_id, e.sequence, 'succeeded', 1, now(), '[]'
          FROM events e CROSS JOIN webhook_subscriptions s
          WHERE e.workspace_id = $1 AND s.workspace_id = $1 AND s.number_ids = ARRAY[$2::text]`,
            [id, call!.number_id]
          )
          const { trail } = yield* CallHistory
          const { blocks, result } = yield* cost(id, trail(id, [callId(call!.id)], { limit: 200 }))
          assert.lengthOf(result.webhooks, 5)
          assert.isBelow(blocks, 400)
        }),
      120_000
    )
  }
)
