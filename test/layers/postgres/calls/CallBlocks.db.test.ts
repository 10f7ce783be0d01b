import { PgClient } from "@effect/sql-pg"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { CurrentTenant } from "../../../../src/domain/access/CurrentTenant.ts"
import type { CallRecord } from "../../../../src/domain/calls/state/CallRecord.ts"
import type { After } from "../../../../src/domain/paging/After.ts"
import { block_size } from "../../../../src/domain/paging/Places.ts"
import { CallReads } from "../../../../src/domain/ports/calls/CallReads.ts"
import { layer as blocksLayer, makeBlocks } from "../../../../src/layers/postgres/calls/CallBlocks.ts"
import * as PgCallReads from "../../../../src/layers/postgres/calls/CallReads.ts"
import { fillCalls, newWorkspace } from "../../../support/ManyCalls.ts"
import * as TestDatabase from "../../../support/TestDatabase.ts"
import type { WorkspaceId } from "../../../../src/domain/BrandedIds.ts"
import { numberId, workspaceId } from "../../../support/Ids.ts"
import type { CallFilter } from "../../../../src/domain/calls/views/CallFilter.ts"
import { until } from "../../../support/Until.ts"

const minute_ms = 60_000
const database = PgCallReads.layer.pipe(Layer.provideMerge(TestDatabase.layer))

const blocksSince = (since?: number) => Effect.flatMap(PgClient.PgClient, (sql) => makeBlocks(sql, since))
const blocksNow = Effect.map(blocksSince(), ({ made }) => made)
const list = (workspace_id: WorkspaceId, filter: CallFilter, after?: After, limit = 50) =>
  Effect.flatMap(CallReads, (reads) => reads.list(workspace_id, filter, after, limit)).pipe(
    Effect.provideService(CurrentTenant, workspace_id)
  )

interface Block {
  readonly block: number
  readonly open: number
  readonly late: number
  readonly checked: boolean
}

const blocksOf = (workspace_id: WorkspaceId) =>
  Effect.flatMap(
    PgClient.PgClient,
    (sql) =>
      sql<Block>`SELECT block, cardinality(open) AS open, cardinality(late) AS late, checked
      FROM call_blocks WHERE workspace_id = ${workspace_id} ORDER BY block`
  )

const all: ReadonlyArray<CallFilter> = (() => {
  const values: { readonly [name in keyof CallFilter]: ReadonlyArray<CallFilter[name] | undefined> } = {
    status: [undefined, "completed", "busy", "canceled", "failed", "answered"],
    direction: [undefined, "outbound", "inbound"],
    from: [undefined, "+254700000001", "+254700000002"],
    to: [undefined, "+254700000001", "+254711000002", "+254799000007"],
    number_id: [undefined, numberId("00000000-0000-8000-8000-00000000000a")],
    client_reference: [undefined, "campaign"]
  }
  return Object.entries(values).reduce<ReadonlyArray<CallFilter>>(
    (filters, [name, each]) =>
      filters.flatMap((filter) => each.map((value) => (value === undefined ? filter : { ...filter, [name]: value }))),
    [{}]
  )
})()

/** What a list should have, from all there is. */
const naive = (calls: ReadonlyArray<CallRecord>, filter: CallFilter, after: After | undefined, limit: number) =>
  calls
    .filter(
      (call) =>
        (filter.status === undefined || call.status === filter.status) &&
        (filter.direction === undefined || call.direction === filter.direction) &&
        (filter.from === undefined || call.from === filter.from) &&
        (filter.to === undefined || call.to === filter.to) &&
        (filter.number_id === undefined || call.number_id === filter.number_id) &&
        (filter.client_reference === undefined || call.client_reference === filter.client_reference) &&
        (filter.created_after === undefined || Date.parse(call.created_at) >= filter.created_after) &&
        (filter.created_before === undefined || Date.parse(call.created_at) < filter.created_before) &&
        (after === undefined ||
          Date.parse(call.created_at) < after.at ||
          (Date.parse(call.created_at) === after.at && call.id < after.id))
    )
    .slice(0, limit)
    .map(({ id }) => id)

layer(database)("blocks of calls", (it) => {
  it.effect("are built when they are full, and only of calls that can no longer change", () =>
    Effect.gen(function* () {
      const id = yield* newWorkspace
      yield* fillCalls(workspaceId(id), { calls: 2 * block_size - 1, from: 0, step_ms: 1 })
      yield* TestClock.setTime(block_size - 1 + 30_000)
      assert.strictEqual(yield* blocksNow, 0)
      yield* TestClock.adjust(1)
      assert.strictEqual(yield* blocksNow, 1)
      yield* TestClock.adjust(minute_ms)
      assert.strictEqual(yield* blocksNow, 0)
      assert.deepStrictEqual(
        (yield* blocksOf(workspaceId(id))).map(({ block, checked }) => [block, checked]),
        [[0, false]]
      )
      yield* fillCalls(workspaceId(id), { calls: 1, from: 3 * block_size, step_ms: 1 })
      assert.strictEqual(
        yield* Effect.map(Effect.all([blocksNow, blocksNow], { concurrency: 2 }), ([a, b]) => a + b),
        1
      )
      yield* TestClock.adjust(10 * minute_ms)
      yield* blocksNow
      assert.deepStrictEqual(
        yield* blocksOf(workspaceId(id)),
        [5, 4].map((open, block) => ({ block, open, late: 0, checked: true }))
      )
    })
  )

  it.effect("are not searched for if no call was placed since the last search", () =>
    Effect.gen(function* () {
      const id = yield* newWorkspace
      yield* fillCalls(workspaceId(id), { calls: block_size - 1, from: 0, step_ms: 1 })
      yield* TestClock.setTime(10 * minute_ms)
      const first = yield* blocksSince()
      assert.deepStrictEqual(first, { made: 0, until: 10 * minute_ms - 30_000 })
      // Older than the last look, which would have seen it.
      yield* fillCalls(workspaceId(id), { calls: 1, from: block_size, step_ms: 1 })
      assert.strictEqual((yield* blocksSince(first.until)).made, 0)
      yield* fillCalls(workspaceId(id), { calls: 1, from: first.until, step_ms: 1 })
      yield* TestClock.adjust(minute_ms)
      assert.deepStrictEqual(yield* blocksSince(first.until), { made: 1, until: first.until + minute_ms })
    })
  )

  it.effect("are built without a request", () =>
    Effect.gen(function* () {
      const id = yield* newWorkspace
      yield* TestClock.setTime(0)
      yield* Layer.build(blocksLayer)
      yield* fillCalls(workspaceId(id), { calls: block_size, from: 0, step_ms: 1 })
      const aMinuteLater = Effect.andThen(TestClock.adjust("1 minute"), blocksOf(workspaceId(id)))
      yield* until("block", aMinuteLater, (blocks) => blocks.length > 0, { every_ms: 0 })
    }).pipe(Effect.scoped)
  )

  it.effect("contain formerly active calls under their last status, and late calls", () =>
    Effect.gen(function* () {
      const sql = yield* PgClient.PgClient
      const id = yield* newWorkspace
      yield* fillCalls(workspaceId(id), {
        calls: block_size,
        from: 0,
        step_ms: 10,
        status: (n) => (n < 10 ? "answered" : "busy")
      })
      yield* TestClock.setTime(minute_ms)
      yield* blocksNow
      assert.strictEqual((yield* list(workspaceId(id), { status: "answered" })).length, 10)
      const over = (most: number) =>
        sql`UPDATE calls SET status = 'completed', cost_minor = 300 WHERE workspace_id = ${id} AND status = 'answered'
          AND created_at < ${new Date(most * 10)}`
      yield* over(4)
      // Few of them are over: they are looked at one by one.
      yield* blocksNow
      assert.deepStrictEqual(yield* blocksOf(workspaceId(id)), [{ block: 0, open: 10, late: 0, checked: false }])
      assert.strictEqual((yield* list(workspaceId(id), { status: "completed" })).length, 4)
      yield* over(6)
      yield* blocksNow
      assert.deepStrictEqual(yield* blocksOf(workspaceId(id)), [{ block: 0, open: 4, late: 0, checked: false }])
      yield* fillCalls(workspaceId(id), { calls: 1, from: 15, step_ms: 1, status: () => "canceled" })
      yield* TestClock.adjust(11 * minute_ms)
      yield* blocksNow
      assert.deepStrictEqual(yield* blocksOf(workspaceId(id)), [{ block: 0, open: 4, late: 1, checked: true }])
      assert.strictEqual((yield* list(workspaceId(id), { status: "canceled" })).length, 1)
      assert.strictEqual((yield* list(workspaceId(id), { status: "completed" })).length, 6)
      yield* over(10)
      yield* blocksNow
      assert.deepStrictEqual(yield* blocksOf(workspaceId(id)), [{ block: 0, open: 0, late: 1, checked: true }])
      assert.strictEqual((yield* list(workspaceId(id), { status: "completed" })).length, 10)
    })
  )
})

layer(database)("a list of calls in blocks", (it) => {
  it.effect(
    "equals the list without blocks for every filter and cursor",
    () =>
      Effect.gen(function* () {
        const [id, other] = [yield* newWorkspace, yield* newWorkspace]
        // Seven of an instant, so that blocks begin within one.
        const many = { calls: 3 * block_size + 500, from: 0, step_ms: 1, together: 7 }
        for (const each of [id, other]) yield* fillCalls(workspaceId(each), many)
        const expected = yield* list(workspaceId(id), {}, undefined, 10_000)
        assert.strictEqual(expected.length, many.calls)
        yield* TestClock.setTime(3 * block_size + 500 + 30_001)
        assert.strictEqual(yield* blocksNow, 6)
        const [a, middle] = [expected[700]!, expected[block_size + 501]!]
        const afters = [a, middle].map(({ created_at, id }): After => ({ at: Date.parse(created_at), id }))
        const since = Date.parse(expected[2 * block_size]!.created_at)
        let found = 0
        for (const [n, filter] of all.entries()) {
          const cases: ReadonlyArray<readonly [CallFilter, After | undefined, number]> = [
            [filter, undefined, 50],
            [{ ...filter, created_after: since }, afters[n % 2], 7],
            [{ ...filter, created_before: Date.parse(a.created_at) }, n % 3 === 0 ? afters[1] : undefined, 120]
          ]
          for (const [filter, after, limit] of cases) {
            const ids = (yield* list(workspaceId(id), filter, after, limit)).map(({ id }) => id)
            assert.deepStrictEqual(ids, naive(expected, filter, after, limit), JSON.stringify([filter, after, limit]))
            found += ids.length
          }
        }
        assert.isAbove(found, 5_000)
      }),
    120_000
  )
})
