import { assert, layer } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { quotas } from "../../../../src/domain/access/Quota.ts"
import { leaseOf } from "../../../../src/domain/limits/Leases.ts"
import { SharedCounts } from "../../../../src/domain/ports/engine/SharedCounts.ts"
import { rateLimitsInCluster } from "../../../../src/http/request/LeasedQuotas.ts"
import { RateLimits } from "../../../../src/http/request/RateLimits.ts"
import * as PgSharedCounts from "../../../../src/layers/postgres/cache/SharedCounts.ts"
import { LeaseModel } from "../../../support/LeaseModel.ts"
import * as TestDatabase from "../../../support/TestDatabase.ts"

/** The limits of another process on the same database. */
const process = Effect.map(
  Layer.build(Layer.fresh(rateLimitsInCluster).pipe(Layer.provide(Layer.fresh(PgSharedCounts.layer)))),
  Context.get(RateLimits)
)

const counts = Effect.map(Layer.build(Layer.fresh(PgSharedCounts.layer)), Context.get(SharedCounts))

const quota = quotas.workspace_read

/** Milliseconds by the clock of the database. */
const databaseNow = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{ readonly now: number }>`SELECT extract(epoch FROM clock_timestamp())::float8 * 1000 AS now`
  return row!.now
})

layer(TestDatabase.layer, { excludeTestServices: true, timeout: "30 seconds" })("the limits of a workspace", (it) => {
  it.effect("admit no more of two processes together than of one", () =>
    Effect.gen(function* () {
      const began_at = yield* databaseNow
      // The processes' clock stands still, so that no request waits so long that its process counts alone.
      const processes = yield* Effect.all([process, process])
      const flood = ({ count }: RateLimits["Service"]) =>
        Effect.forEach(Array.from({ length: 1_000 }), () => Effect.isSuccess(count("workspace_read", "one")), {
          concurrency: 100
        })
      const each = yield* Effect.forEach(processes, flood, { concurrency: 2 })
      const together = each.flat().filter(Boolean).length
      const refilled = (((yield* databaseNow) - began_at) * quota.per_second) / 1_000
      assert.isAtLeast(together, quota.burst - leaseOf(quota))
      assert.isAtMost(together, quota.burst + refilled)
    }).pipe(Effect.provide(TestClock.layer()))
  )

  it.effect("are granted by the database as by plain arithmetic", () =>
    Effect.gen(function* () {
      const { lease } = yield* counts
      const sql = yield* SqlClient.SqlClient
      // So slow that nothing is refilled during the test.
      const slow = { burst: 500, per_second: 1 / 1_000 }
      const model = new LeaseModel(slow)
      for (const wanted of [20, 20, 400, 41, 20, 20]) {
        const granted = yield* lease("workspace_read", slow, "two", wanted)
        const expected = model.lease(wanted, 0)
        assert.strictEqual(granted?.requests, expected.requests, `of ${wanted}`)
        assert.closeTo(granted?.full_in_ms ?? 0, expected.full_in_ms, 1_000_000)
      }
      // A clock of the database that was set back costs at most the burst.
      yield* sql`UPDATE shared_leases SET full_at = full_at + 1e12`
      const refused = yield* lease("workspace_read", slow, "two", 20)
      assert.strictEqual(refused?.requests, 0)
      assert.isAtMost(refused?.full_in_ms ?? Infinity, 500_000_000)
      assert.notInclude(JSON.stringify(yield* sql`SELECT * FROM shared_leases`), "two")
    })
  )

  it.effect("hold at once for both of two processes that ask at the same moment", () =>
    Effect.gen(function* () {
      const { lease } = yield* counts
      const other = yield* counts
      const slow = { burst: 500, per_second: 1 / 1_000 }
      const asked = Array.from({ length: 40 }, (_, n) => (n % 2 === 0 ? lease : other.lease))
      const granted = yield* Effect.forEach(asked, (ask) => ask("workspace_write", slow, "three", 20), {
        concurrency: "unbounded"
      })
      assert.strictEqual(
        granted.reduce((sum, grant) => sum + (grant?.requests ?? 0), 0),
        slow.burst
      )
    })
  )
})
