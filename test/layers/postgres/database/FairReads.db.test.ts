// The connections for reads are divided among the workspaces.
import { assert, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { SqlClient } from "effect/sql"
import { CurrentTenant, urgently } from "../../../../src/domain/access/CurrentTenant.ts"
import { isUnavailable } from "../../../../src/domain/errors/Unavailable.ts"
import { workspaceId } from "../../../support/Ids.ts"
import * as TestDatabase from "../../../support/TestDatabase.ts"
import { until } from "../../../support/Until.ts"

const [one, other] = [
  workspaceId("01a20000-0000-7000-8000-000000000001"),
  workspaceId("01a20000-0000-7000-8000-000000000002")
]

it.live(
  "a workspace that reads as much as it can takes half of the connections, and neither others nor its hang-ups wait",
  () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const slow = Effect.provideService(sql`SELECT pg_sleep(0.3)`, CurrentTenant, one)
      const reads = yield* Effect.forkChild(
        Effect.forEach(Array.from({ length: 300 }), () => Effect.result(slow), { concurrency: "unbounded" }),
        { startImmediately: true }
      )
      const sleeping = Effect.map(
        sql<{ readonly pid: number }>`SELECT pid FROM pg_stat_activity
          WHERE state = 'active' AND query LIKE '%pg_sleep%' AND datname = current_database() AND pid <> pg_backend_pid()`,
        ({ length }) => length
      )
      assert.strictEqual(yield* until("reads on half of the connections", sleeping, (count) => count >= 5), 5)
      yield* Effect.provideService(sql`SELECT 1`, CurrentTenant, other)
      assert.isUndefined(reads.pollUnsafe(), "the other workspace waited for all reads of the first")
      yield* urgently(Effect.provideService(sql`SELECT 1`, CurrentTenant, one))
      assert.isUndefined(reads.pollUnsafe(), "an urgent read waited for all others")
      const results = yield* Fiber.join(reads)
      const refused = results.filter(({ _tag }) => _tag === "Failure")
      assert.isAtLeast(refused.length, 95, "those beyond its queue")
      for (const result of refused) assert.isTrue(result._tag === "Failure" && isUnavailable(result.failure))
      assert.isAtLeast(results.length - refused.length, 20)
    }).pipe(Effect.provide(TestDatabase.layer))
)
