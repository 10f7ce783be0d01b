import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { quotas, take } from "../../../../src/domain/access/Quota.ts"
import { SharedCounts } from "../../../../src/domain/ports/engine/SharedCounts.ts"
import * as PgSharedCounts from "../../../../src/layers/postgres/cache/SharedCounts.ts"
import * as TestDatabase from "../../../support/TestDatabase.ts"

type CountShared = SharedCounts["Service"]["count"]

/** Another process on the same database. */
const inProcess = <A, E>(test: (count: CountShared) => Effect.Effect<A, E>) =>
  Effect.provide(
    Effect.flatMap(SharedCounts, ({ count }) => test(count)),
    Layer.fresh(PgSharedCounts.layer)
  )

const quota = quotas.sign_in_email
const minute = 60_000

layer(TestDatabase.layer, { excludeTestServices: true, timeout: "30 seconds" })("counts that processes share", (it) => {
  it.effect("admit no more than the limit of concurrent requests in two processes", () =>
    Effect.gen(function* () {
      const ask = (count: CountShared) =>
        Effect.all(
          Array.from({ length: 20 }, () => count("sign_in_email", quota, "ann@example.com", minute)),
          { concurrency: 10 }
        )
      const both = yield* Effect.all([inProcess(ask), inProcess(ask)], { concurrency: 2 })
      assert.strictEqual(both.flat().filter((verdict) => verdict?.admitted).length, quota.burst)
      const other = yield* inProcess((count) => count("sign_in_email", quota, "ben@example.com", minute))
      assert.isTrue(other?.admitted)
      const sql = yield* SqlClient.SqlClient
      assert.notInclude(JSON.stringify(yield* sql`SELECT * FROM shared_counts`), "example.com")
    })
  )

  it.effect("answer as one process does, even if the clock was set back", () =>
    Effect.gen(function* () {
      const times = [0, 0, 1, 2, 3, 4, 4, 200, 340, 341, 100, 101, 4_000, 4_001].map(
        (seconds) => 10 * minute + seconds * 1_000
      )
      let full_at = 0
      for (const now of times) {
        const alone = take(quota, full_at, now)
        const together = yield* inProcess((count) => count("sign_in_email", quota, "one", now))
        assert.deepStrictEqual(together, alone, `at ${now}`)
        full_at = alone.full_at
      }
    })
  )
})
