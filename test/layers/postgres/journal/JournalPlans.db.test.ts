import { assert, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { randomUUID } from "node:crypto"
import { Journal } from "../../../../src/domain/ports/engine/Journal.ts"
import * as PostgresJournal from "../../../../src/layers/postgres/journal/Journal.ts"
import { call, commit, commitAll, counter, event, hold, subscription, wallet } from "../../../contract/JournalProbe.ts"
import { workspaceId } from "../../../support/Ids.ts"
import * as TestDatabase from "../../../support/TestDatabase.ts"
import { until } from "../../../support/Until.ts"

const alarms_count = 30_000

const someAlarms = Effect.gen(function* () {
  const ids = Array.from({ length: alarms_count }, () => randomUUID() as string)
  yield* commitAll(ids.map((id) => counter(id, 1, { alarm: 60_000 })))
  return ids
})

/** How often a row of alarms was changed then: they are set, all but one are deleted, and as many are set again. */
const filled = 3 * alarms_count - 1

/** Reads for one change. The table may be read once for all changes, not once for each. */
const alarmsRead_max = (3 * alarms_count) / 1_000

/** The statistics are of a moment at which the table was almost empty. */
const fullOfAlarmsThatStatisticsDeny = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [, ...before] = yield* someAlarms
  yield* sql`DELETE FROM alarms WHERE actor_id = ANY(${before})`
  yield* sql`VACUUM ANALYZE alarms`
  return yield* someAlarms
})

/**
 * How many rows of a table were read so far, as the server counts, once it has counted so many changes of rows. Unlike
 * the time that a statement takes, it does not depend on the machine.
 */
const rowsRead = (table: string, changes: number) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const [row] = yield* sql<{ readonly read: number; readonly changed: number }>`
      SELECT (coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0))::int4 AS read,
        (n_tup_ins + n_tup_upd + n_tup_del)::int4 AS changed
      FROM pg_stat_user_tables WHERE relname = ${table}`
    return row!
  }).pipe(
    (row) =>
      until(`count of ${changes} changes of ${table}`, row, ({ changed }) => changed >= changes, { every_ms: 100 }),
    Effect.map(({ read }) => read)
  )

/** How many rows were read for each change that the effect makes. */
const readPerChange = <A, E, R>(table: string, before: number, changes: number, effect: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const first = yield* rowsRead(table, before)
    yield* effect
    return ((yield* rowsRead(table, before + changes)) - first) / changes
  })

const withJournal = Effect.provide(Layer.provideMerge(PostgresJournal.layer, TestDatabase.layer))

it.live(
  "alarms are cleared one by one, whatever the statistics say",
  () =>
    withJournal(
      Effect.gen(function* () {
        const ids = yield* fullOfAlarmsThatStatisticsDeny
        const clearing = commitAll(ids.slice(0, 1_000).map((id) => counter(id, 2, { alarm: null })))
        assert.isBelow(yield* readPerChange("alarms", filled, 1_000, clearing), alarmsRead_max)
      })
    ),
  60_000
)

it.live(
  "alarms are put off one by one, whatever the statistics say",
  () =>
    withJournal(
      Effect.gen(function* () {
        yield* fullOfAlarmsThatStatisticsDeny
        const { alarms, postpone } = yield* Journal
        const due = yield* alarms({ before: 100_000, limit: 1_000 })
        assert.lengthOf(due, 1_000)
        assert.isBelow(yield* readPerChange("alarms", filled, 1_000, postpone(due, 200_000)), alarmsRead_max)
        assert.lengthOf(yield* alarms({ before: 100_000, limit: alarms_count * 2 }), alarms_count - 999)
      })
    ),
  60_000
)

const othersHolds = 20_000

it.live(
  "a call is stored by reading its own hold, however many were opened since the statistics were taken",
  () =>
    withJournal(
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const othersPlace = (status: "open" | "released") => sql`
          INSERT INTO holds (id, workspace_id, call_id, amount_minor, status, captured_minor, placed_at, closed_at)
          SELECT gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), 100, ${status}, 0, now(),
            CASE WHEN ${status} = 'released' THEN now() END
          FROM generate_series(1, ${othersHolds})`
        yield* othersPlace("released")
        yield* sql`VACUUM ANALYZE holds`
        yield* othersPlace("open")
        const workspace_id = workspaceId(randomUUID())
        const holds = Array.from({ length: 20 }, () => hold(workspace_id))
        yield* commitAll([wallet(workspace_id, 1, { holds })])
        const calls = Effect.forEach(holds, ({ id }) => commit(call(workspace_id, id, 1, { needs_hold: id })))
        assert.isBelow(yield* readPerChange("holds", 2 * othersHolds + holds.length, holds.length, calls), 10)
      })
    ),
  60_000
)

const othersSubscriptions = 1_000

it.live(
  "an event reads the subscriptions that want it, however many the workspace has for other kinds and numbers",
  () =>
    withJournal(
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const workspace_id = workspaceId(randomUUID())
        yield* sql`
          INSERT INTO webhook_subscriptions (id, workspace_id, version, state, status, kinds, number_ids, created_at)
          SELECT gen_random_uuid(), ${workspace_id}, 1, '{}', 'active',
            CASE WHEN n % 2 = 0 THEN '{number.claimed}'::text[] ELSE '{call.ringing}' END,
            CASE WHEN n % 2 = 0 THEN '{}'::text[] ELSE ARRAY[gen_random_uuid()::text] END, now()
          FROM generate_series(1, ${othersSubscriptions}) AS n`
        const wanting = randomUUID()
        yield* commit(subscription(workspace_id, wanting, 1))
        const events = Effect.forEach(Array.from({ length: 20 }), () => {
          const id = randomUUID()
          return commit(call(workspace_id, id, 1, { events: [event(workspace_id, id, 1, { fan_out: true })] }))
        })
        const counted = Effect.andThen(events, commit(subscription(workspace_id, wanting, 2)))
        assert.isBelow(yield* readPerChange("webhook_subscriptions", othersSubscriptions + 1, 1, counted), 50)
        const [told] = yield* sql`SELECT count(*)::int4 AS deliveries FROM deliveries`
        assert.deepStrictEqual(told, { deliveries: 20 })
      })
    ),
  60_000
)
