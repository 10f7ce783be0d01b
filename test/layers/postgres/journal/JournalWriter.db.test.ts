import { assert, it, layer } from "@effect/vitest"
import { Effect, Exit, Layer, Scope } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { randomUUID } from "node:crypto"
import { Journal } from "../../../../src/domain/ports/engine/Journal.ts"
import type { Committed, Entry } from "../../../../src/domain/journal/Rows.ts"
import * as PostgresJournal from "../../../../src/layers/postgres/journal/Journal.ts"
import {
  call,
  commit,
  commitAll,
  counter,
  event,
  outcomesOf,
  subscription,
  wallet
} from "../../../contract/JournalProbe.ts"
import { outcomesOfUnits } from "../../../contract/JournalTied.ts"
import * as TestDatabase from "../../../support/TestDatabase.ts"
import { workspaceId } from "../../../support/Ids.ts"

const count = (table: string) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    Effect.map(
      sql.unsafe<{ readonly rows: number }>(`SELECT count(*)::int AS rows FROM ${table}`),
      ([row]) => row!.rows
    )
  )

layer(Layer.provideMerge(PostgresJournal.layer, TestDatabase.layer))("the writer", (it) => {
  it.effect("writes all waiting entries in one transaction", () =>
    Effect.gen(function* () {
      yield* commit(counter(randomUUID(), 1))
      const before = yield* count("journal_batches")
      yield* commitAll(Array.from({ length: 1_000 }, () => counter(randomUUID(), 1)))
      assert.strictEqual((yield* count("journal_batches")) - before, 1)
    })
  )

  it.effect("closes a batch at 1,024 entries and at 4 Mi characters", () =>
    Effect.gen(function* () {
      const before = yield* count("journal_batches")
      yield* commitAll(Array.from({ length: 1_025 }, () => counter(randomUUID(), 1)))
      assert.strictEqual((yield* count("journal_batches")) - before, 2)
      const large = { version: 1, state: JSON.stringify("x".repeat(1024 * 1024)), columns: {} }
      yield* commitAll(Array.from({ length: 8 }, () => counter(randomUUID(), 1, { snapshot: large })))
      assert.strictEqual((yield* count("journal_batches")) - before, 4)
    })
  )

  it.effect("does not end a batch between tied entries", () =>
    Effect.gen(function* () {
      const before = yield* count("journal_batches")
      const journal = yield* Journal
      const ids = [randomUUID(), randomUUID()]
      for (let index = 0; index < 1_023; index++) journal.append(counter(randomUUID(), 1), () => {})
      const outcomes = yield* outcomesOfUnits([ids.map((id) => counter(id, 1))])
      assert.deepStrictEqual(outcomes, [["ok", "ok"]])
      assert.strictEqual((yield* count("journal_batches")) - before, 2)
      const sql = yield* SqlClient.SqlClient
      const rows = yield* sql.unsafe<{ readonly batches: number }>(
        `SELECT count(DISTINCT xmin::text)::int AS batches FROM actors WHERE actor_id = ANY($1)`,
        [ids]
      )
      assert.deepStrictEqual(rows, [{ batches: 1 }])
    })
  )

  it.effect("refuses only the entry with a value that a column cannot hold", () =>
    Effect.gen(function* () {
      const holding = (held_minor: number): Entry => {
        const entry = wallet(workspaceId(randomUUID()), 1)
        return { ...entry, snapshot: { ...entry.snapshot!, columns: { ...entry.snapshot!.columns, held_minor } } }
      }
      const outcomes = yield* outcomesOf([
        counter(randomUUID(), 1),
        counter(randomUUID(), 1, { events: [event(workspaceId("nonsense"), randomUUID(), 1)] }),
        counter(randomUUID(), 1, { snapshot: { version: 1, state: "not JSON", columns: {} } }),
        counter(randomUUID(), 1, { snapshot: { version: 1, state: '"\u0000"', columns: {} } }),
        holding(-1),
        holding(0.5),
        counter(randomUUID(), 1)
      ])
      const refused = Array.from({ length: 5 }, () => "unavailable")
      assert.deepStrictEqual(outcomes, ["ok", ...refused, "ok"])
    })
  )

  it.effect("refuses only malformed entries", () =>
    Effect.gen(function* () {
      const none = undefined as unknown as string
      const outcomes = yield* outcomesOf([
        counter(randomUUID(), 1),
        counter(randomUUID(), 1, { snapshot: { version: 1, state: none, columns: {} } }),
        counter(randomUUID(), 1, { events: [event(workspaceId(randomUUID()), randomUUID(), 1, { payload: none })] }),
        counter(randomUUID(), 1)
      ])
      assert.deepStrictEqual(outcomes, ["ok", "unavailable", "unavailable", "ok"])
    })
  )

  it.effect("refuses entries that an actor appended before it learned of its failure", () =>
    Effect.gen(function* () {
      const journal = yield* Journal
      const id = randomUUID()
      const outcomes: Array<Committed> = []
      const append = (entry: Entry) => journal.append(entry, (outcome) => outcomes.push(outcome))
      append(counter(id, 7))
      // They keep the batch under way for a while.
      for (let index = 0; index < 500; index++) journal.append(counter(randomUUID(), 1), () => {})
      for (let turn = 0; turn < 3; turn++) yield* Effect.yieldNow
      append({
        actor_type: "Counter",
        actor_id: id,
        workspace_id: null,
        events: [event(workspaceId(randomUUID()), id, 1)]
      })
      yield* commit(counter(randomUUID(), 1))
      assert.deepStrictEqual(
        outcomes.map((outcome) => outcome.ok || outcome.error.reason),
        ["stale", "stale"]
      )
    })
  )

  it.effect("continues when a listener throws, and calls the other listeners", () =>
    Effect.gen(function* () {
      const journal = yield* Journal
      journal.append(counter(randomUUID(), 1), () => {
        throw new Error("thrown by a listener, as this test wants it")
      })
      assert.deepStrictEqual(yield* outcomesOf([counter(randomUUID(), 1)]), ["ok"])
      assert.deepStrictEqual(yield* outcomesOf([counter(randomUUID(), 1)]), ["ok"])
    })
  )

  it.effect("fills the columns that reads filter and sort by", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const [workspace_id, id] = [randomUUID(), randomUUID()]
      const placed = call(workspaceId(workspace_id), id, 1)
      const columns = { ...placed.snapshot!.columns, client_reference: "c", number_id: id, cost_minor: null }
      yield* commit({ ...placed, snapshot: { ...placed.snapshot!, columns } })
      const ended = { ...columns, status: "completed", answered_at: 2_500, cost_minor: 9_000_000_000 }
      yield* commit({ ...placed, snapshot: { ...placed.snapshot!, version: 2, columns: ended } })
      const [row] = yield* sql<Record<string, unknown>>`SELECT * FROM calls WHERE id = ${id}`
      assert.deepInclude(row, {
        workspace_id,
        version: 2,
        session_id: `HD_${id}`,
        parent_call_id: null,
        number_id: id,
        status: "completed",
        direction: "outbound",
        client_reference: "c",
        created_at: new Date(1_000),
        answered_at: new Date(2_500),
        cost_minor: 9_000_000_000n
      })
      const kinds = ['a "quoted" kind', "back\\slash", "comma, {brace}", "null", ""]
      yield* commit(subscription(workspaceId(workspace_id), id, 1, { kinds, number_ids: [] }))
      const [stored] = yield* sql<
        Record<string, unknown>
      >`SELECT kinds, number_ids FROM webhook_subscriptions WHERE id = ${id}`
      assert.deepStrictEqual({ ...stored }, { kinds, number_ids: [] })
    })
  )

  it.effect("forgets ids of batches that are no longer queried", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* commit(counter(randomUUID(), 1))
      yield* TestClock.adjust("11 minutes")
      const id = randomUUID()
      for (let version = 1; version <= 1_000; version++) yield* commit(counter(id, version))
      const [oldest] = yield* sql<{
        readonly written_at: Date
      }>`SELECT min(written_at) AS written_at FROM journal_batches`
      assert.isAtLeast(oldest!.written_at.getTime(), 660_000)
    })
  )
})

it.effect("writes waiting entries when it closes, and refuses later ones", () =>
  Effect.gen(function* () {
    const scope = yield* Scope.make()
    const built = yield* Layer.buildWithScope(PostgresJournal.layer, scope)
    const outcomes: Array<Committed> = []
    yield* Effect.gen(function* () {
      const journal = yield* Journal
      for (let index = 0; index < 3_000; index++) {
        journal.append(counter(randomUUID(), 1), (outcome) => outcomes.push(outcome))
      }
      yield* Scope.close(scope, Exit.void)
      assert.strictEqual(outcomes.filter(({ ok }) => ok).length, 3_000)
      assert.strictEqual(yield* count("actors"), 3_000)
      const [late] = yield* outcomesOf([counter(randomUUID(), 1)])
      assert.strictEqual(late, "unavailable")
    }).pipe(Effect.provide(built))
  }).pipe(Effect.provide(TestDatabase.layer))
)
