import { assert, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { randomUUID } from "node:crypto"
import { Journal } from "../../../../src/domain/ports/Journal.ts"
import * as PostgresJournal from "../../../../src/layers/postgres/journal/Journal.ts"
import { commitAll, counter } from "../../../contract/JournalProbe.ts"
import * as TestDatabase from "../../../support/TestDatabase.ts"

const alarms_count = 30_000

const someAlarms = Effect.gen(function* () {
  const ids = Array.from({ length: alarms_count }, () => randomUUID() as string)
  yield* commitAll(ids.map((id) => counter(id, 1, { alarm: 60_000 })))
  return ids
})

/** The statistics are of a moment at which the table was almost empty. */
const fullOfAlarmsThatStatisticsDeny = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [, ...before] = yield* someAlarms
  yield* sql`DELETE FROM alarms WHERE actor_id = ANY(${before})`
  yield* sql`VACUUM ANALYZE alarms`
  return yield* someAlarms
})

const took = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const start = performance.now()
    yield* effect
    return performance.now() - start
  })

const withJournal = Effect.provide(Layer.provideMerge(PostgresJournal.layer, TestDatabase.layer))

it.live(
  "alarms are cleared one by one, whatever the statistics say",
  () =>
    withJournal(
      Effect.gen(function* () {
        const ids = yield* fullOfAlarmsThatStatisticsDeny
        const elapsed_ms = yield* took(commitAll(ids.slice(0, 1_000).map((id) => counter(id, 2, { alarm: null }))))
        assert.isBelow(elapsed_ms, 1_500)
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
        assert.isBelow(yield* took(postpone(due, 200_000)), 1_500)
        assert.lengthOf(yield* alarms({ before: 100_000, limit: alarms_count * 2 }), alarms_count - 999)
      })
    ),
  60_000
)
