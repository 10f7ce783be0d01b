import { assert, it } from "@effect/vitest"
import { Effect, Layer, type Scope } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { randomUUID } from "node:crypto"
import * as PostgresJournal from "../../../../src/layers/postgres/journal/Journal.ts"
import { createPartitions, layer } from "../../../../src/layers/postgres/database/Partitions.ts"
import { commit, counter, event } from "../../../contract/JournalProbe.ts"
import * as TestDatabase from "../../../support/TestDatabase.ts"
import { workspaceId } from "../../../support/Ids.ts"
import { until } from "../../../support/Until.ts"

const partitions = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.map(
    sql<{ readonly name: string }>`
      SELECT inhrelid::regclass::text AS name FROM pg_inherits
      WHERE inhparent IN ('events'::regclass, 'deliveries'::regclass, 'call_trail'::regclass) ORDER BY name`,
    (rows) => rows.map(({ name }) => name)
  )
)

const months = (...names: ReadonlyArray<string>) =>
  ["call_trail", "deliveries", "events"].flatMap((log) => [...names, "default"].map((name) => `${log}_${name}`))

const partitionOf = (subject_id: string) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    Effect.map(
      sql<{
        readonly name: string
      }>`SELECT tableoid::regclass::text AS name FROM events WHERE subject_id = ${subject_id}`,
      ([row]) => row?.name
    )
  )

/** Sets the clock before the pool starts, which would else live through every minute since 1970. */
const at = <A, E>(time: number, test: Effect.Effect<A, E, SqlClient.SqlClient | Scope.Scope>) =>
  Effect.andThen(TestClock.setTime(time), test.pipe(Effect.scoped, Effect.provide(TestDatabase.layer)))

const lastMoment = Date.UTC(2026, 10, 30, 23, 59, 59, 999)

const record = Effect.suspend(() => {
  const id = workspaceId(randomUUID())
  return Effect.as(commit(counter(id, 1, { events: [event(id, id, 1)] })), id)
})

it.effect("creates the partitions of this month and two more, once for all engines", () =>
  at(
    lastMoment,
    Effect.gen(function* () {
      yield* Effect.all([createPartitions, createPartitions, createPartitions], { concurrency: 3 })
      yield* createPartitions
      assert.deepStrictEqual(yield* partitions, months("2026_11", "2026_12", "2027_01"))
    })
  )
)

it.effect("stores each event in its month's partition, others in the default one", () =>
  at(
    lastMoment,
    Effect.gen(function* () {
      yield* createPartitions
      yield* Effect.gen(function* () {
        assert.strictEqual(yield* partitionOf(yield* record), "events_2026_11")
        yield* TestClock.adjust(1)
        assert.strictEqual(yield* partitionOf(yield* record), "events_2026_12")
        yield* TestClock.adjust("90 days")
        assert.strictEqual(yield* partitionOf(yield* record), "events_default")
      }).pipe(Effect.provide(PostgresJournal.layer))
    })
  )
)

it.effect("skips a month whose rows are already in the default partition", () =>
  at(
    Date.UTC(2026, 11, 15),
    Effect.gen(function* () {
      yield* Effect.provide(record, PostgresJournal.layer)
      yield* createPartitions
      const expected = months("2026_12", "2027_01", "2027_02").filter((name) => name !== "events_2026_12")
      assert.deepStrictEqual(yield* partitions, expected)
    })
  )
)

it.effect("checks again every day", () =>
  at(
    lastMoment,
    Effect.gen(function* () {
      yield* Layer.build(layer)
      assert.deepStrictEqual(yield* partitions, months("2026_11", "2026_12", "2027_01"))
      yield* TestClock.adjust("1 day")
      yield* until("partition for February", partitions, (names) => names.includes("events_2027_02"), { every_ms: 0 })
    })
  )
)

it.effect("does not stop the engine when it fails", () =>
  at(
    0,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* sql`DROP TABLE deliveries`
      yield* Layer.build(layer)
      assert.strictEqual((yield* partitions.pipe(Effect.option))._tag, "None")
    })
  )
)
