import { PgClient } from "@effect/sql-pg"
import { Clock, Effect, Layer, Schedule } from "effect"
import { forEverybody } from "../../../domain/access/CurrentTenant.ts"
import { spanOf, verdictOf } from "../../../domain/access/Quota.ts"
import { ReadFailed } from "../../../domain/errors/ReadFailed.ts"
import { SharedCounts } from "../../../domain/ports/engine/SharedCounts.ts"
import { expectPresent } from "../../../domain/ExpectPresent.ts"

/** A full bucket carries no information, so its row can go. */
const sweepInterval = "10 minutes"

interface Row {
  readonly full_at: number
  readonly admitted: boolean
}

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
    yield* Effect.forkScoped(
      Effect.repeat(Effect.andThen(Effect.sleep(sweepInterval), Effect.ignore(sweep)), Schedule.forever)
    )
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
    return SharedCounts.of({ count })
  })
)
