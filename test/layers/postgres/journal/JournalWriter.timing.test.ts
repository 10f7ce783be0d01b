// How much faster the journal writes once its statements are planned again. When that happens: Replan.test.ts.
import { assert, it } from "@effect/vitest"
import { Duration, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { randomUUID } from "node:crypto"
import * as PostgresJournal from "../../../../src/layers/postgres/journal/Journal.ts"
import { commit, commitAll, counter } from "../../../contract/JournalProbe.ts"
import * as TestDatabase from "../../../support/TestDatabase.ts"

it.live("plans its statement again when a table has outgrown the plan", () =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const id = randomUUID()
    yield* commit(counter(id, 1))
    yield* sql`ANALYZE actors`
    yield* commit(counter(id, 2))
    yield* sql`INSERT INTO actors (actor_type, actor_id, version, state)
      SELECT 'Counter', 'grown-' || n, 1, '{}' FROM generate_series(1, 4000) AS n`
    const batch = (version: number) =>
      Effect.timed(commitAll(Array.from({ length: 1_000 }, (_, n) => counter(`grown-${n + 1}`, version))))
    const [before] = yield* batch(2)
    const [after, outcomes] = yield* batch(3)
    assert.isTrue(outcomes.every(({ ok }) => ok))
    assert.isBelow(Duration.toMillis(after), Duration.toMillis(before) / 3)
  }).pipe(Effect.provide(Layer.provideMerge(PostgresJournal.layer, TestDatabase.layer)))
)
