import { PgClient } from "@effect/sql-pg"
import { Clock, Effect, Layer, Schedule } from "effect"
import { forEverybody } from "../../../domain/access/CurrentTenant.ts"
import { spanOf, verdictOf } from "../../../domain/access/Quota.ts"
import { ReadFailed } from "../../../domain/errors/ReadFailed.ts"
import { leaseOf } from "../../../domain/limits/Leases.ts"
import { SharedCounts } from "../../../domain/ports/engine/SharedCounts.ts"
import { expectPresent } from "../../../domain/ExpectPresent.ts"

/** A full bucket carries no information, so its row can go. */
const sweepInterval = "10 minutes"

interface Row {
  readonly full_at: number
  readonly admitted: boolean
}

interface LeaseRow {
  readonly granted: number
  readonly full_in_ms: number
}

/** Milliseconds since 1970 by the clock of the database. */
const databaseNow = "extract(epoch FROM clock_timestamp())::float8 * 1000"

/**
 * Rate-limit counters shared by all processes. One statement applies the rule of `take` (domain/access/Quota.ts), so
 * concurrent requests cannot exceed the quota. The subject is stored as a hash, because it may be an IP address.
 */
export const layer = Layer.effect(
  SharedCounts,
  Effect.gen(function* () {
    const sql = yield* PgClient.PgClient
    const sweep = Effect.flatMap(
      Clock.currentTimeMillis,
      (now) => sql`DELETE FROM shared_counts WHERE full_at < ${now}::float8`
    )
    const sweepLeases = sql`DELETE FROM shared_leases WHERE full_at < ${sql.literal(databaseNow)}`
    const sweeps = Effect.andThen(Effect.ignore(sweep), Effect.ignore(sweepLeases))
    yield* Effect.forkScoped(Effect.repeat(Effect.andThen(Effect.sleep(sweepInterval), sweeps), Schedule.forever))
    const count: SharedCounts["Service"]["count"] = (name, quota, who, now) => {
      const { interval_ms, whole_ms } = spanOf(quota)
      const missing = sql.literal("least(greatest(t.full_at - excluded.full_at + v.interval, 0), v.whole)")
      return sql<Row>`
      WITH v AS (SELECT ${now}::float8 AS now, ${interval_ms}::float8 AS interval, ${whole_ms}::float8 AS whole)
      INSERT INTO shared_counts AS t (quota, who, full_at, admitted)
      SELECT ${name}, encode(sha256(convert_to(${who}, 'UTF8')), 'hex'), v.now + v.interval, true FROM v
      ON CONFLICT (quota, who) DO UPDATE SET (full_at, admitted) = (
        SELECT v.now + m.missing + CASE WHEN m.missing + v.interval <= v.whole THEN v.interval ELSE 0 END,
          m.missing + v.interval <= v.whole
        FROM v CROSS JOIN LATERAL (SELECT ${missing} AS missing) AS m
      )
      RETURNING full_at, admitted`.pipe(
        Effect.map(([row]) => verdictOf(quota, expectPresent(row, "The row of the count"), now)),
        Effect.mapError((cause) => new ReadFailed({ cause })),
        forEverybody
      )
    }
    const lease: SharedCounts["Service"]["lease"] = (name, quota, who, wanted) => {
      const { interval_ms, whole_ms } = spanOf(quota)
      const now = sql.literal(databaseNow)
      return sql<LeaseRow>`
      WITH v AS (
        SELECT ${now} AS now, ${interval_ms}::float8 AS interval, ${whole_ms}::float8 AS whole,
          ${wanted}::int AS wanted, ${leaseOf(quota)}::int AS least
      )
      INSERT INTO shared_leases AS t (quota, who, full_at, granted)
      SELECT ${name}, encode(sha256(convert_to(${who}, 'UTF8')), 'hex'), v.now + v.wanted * v.interval, v.wanted FROM v
      ON CONFLICT (quota, who) DO UPDATE SET (full_at, granted) = (
        SELECT v.now + m.missing + g.granted * v.interval, g.granted
        FROM v
          CROSS JOIN LATERAL (SELECT least(greatest(t.full_at - v.now, 0), v.whole) AS missing) AS m
          CROSS JOIN LATERAL (SELECT floor((v.whole - m.missing) / v.interval)::int AS available) AS a
          CROSS JOIN LATERAL (
            SELECT CASE WHEN a.available >= v.least THEN least(v.wanted, a.available) ELSE 0 END AS granted
          ) AS g
      )
      RETURNING granted, greatest(full_at - ${now}, 0) AS full_in_ms`.pipe(
        Effect.map(([row]) => {
          const { full_in_ms, granted } = expectPresent(row, "The row of the lease")
          return { requests: granted, full_in_ms }
        }),
        Effect.mapError((cause) => new ReadFailed({ cause })),
        forEverybody
      )
    }
    return SharedCounts.of({ count, lease })
  })
)
