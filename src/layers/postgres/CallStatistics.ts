// Sums over calls: days that are over from their rollup, which nothing changes any more, and what is left from the calls
// themselves.
import { PgClient } from "@effect/sql-pg"
import { Clock, Effect, Layer } from "effect"
import type { SqlError } from "effect/sql"
import { forEverybody } from "../../domain/access/CurrentTenant.ts"
import { dayOf, type DayRange, dayText, type StatsGroup, type StatsRow } from "../../domain/calls/CallStats.ts"
import { CallStatistics, type StatsQuery } from "../../domain/ports/CallStatistics.ts"
import { ReadFailed } from "../../domain/ports/ReadFailed.ts"

const day_ms = 86_400_000
/** A day is rolled up so long after its end: a call that was placed in its last instant is on disk by then. */
const settled_after_ms = 600_000
/** A call lasts four hours at most, so that two days hold all that were not over when the job last looked. */
const days_back = 2

interface Row {
  readonly key: string | null
  readonly status: StatsRow["status"]
  readonly calls: bigint
  readonly answered: bigint
  readonly duration_seconds: bigint
  readonly billed_seconds: bigint
  readonly cost_minor: bigint
}

const keys: Readonly<Record<StatsGroup, string>> = {
  day: "day::text",
  number: "number_id::text",
  country: "country",
  status: "status",
  direction: "direction"
}

const rowOf = (row: Row): StatsRow => ({
  key: row.key,
  status: row.status,
  calls: Number(row.calls),
  answered: Number(row.answered),
  duration_seconds: Number(row.duration_seconds),
  billed_seconds: Number(row.billed_seconds),
  cost_minor: Number(row.cost_minor)
})

const summed = `count(*) AS calls, count(answered_at) AS answered, coalesce(sum(duration_seconds), 0) AS duration_seconds,
  coalesce(sum(billed_seconds), 0) AS billed_seconds, coalesce(sum(cost_minor), 0) AS cost_minor`

/** The instants of a day, UTC. */
const within = "c.created_at >= d.day AT TIME ZONE 'UTC' AND c.created_at < (d.day + 1) AT TIME ZONE 'UTC'"

const unmarked = `SELECT date::date AS day FROM generate_series($2::date, $3::date, interval '1 day') AS date
    WHERE NOT EXISTS (SELECT FROM call_stats_days m WHERE m.workspace_id = $1 AND m.day = date::date)`

const missing = `SELECT day::text FROM (${unmarked}) days`

/** A day all of whose calls have ended is marked and summed up, once, whoever comes first. */
const rollUp = `
  WITH over AS (
    INSERT INTO call_stats_days (workspace_id, day, made_at) SELECT $1, d.day, $3 FROM (VALUES ($2::date)) d (day)
    WHERE NOT EXISTS (SELECT FROM calls c WHERE c.workspace_id = $1 AND ${within} AND c.status IN ('ringing', 'answered'))
    ON CONFLICT DO NOTHING RETURNING day
  )
  INSERT INTO call_stats (workspace_id, day, number_id, country, status, direction, calls, answered, duration_seconds,
    billed_seconds, cost_minor)
  SELECT $1, d.day, number_id, country, status, direction, ${summed}
  FROM over d JOIN calls c ON c.workspace_id = $1 AND ${within}
  GROUP BY d.day, number_id, country, status, direction`

const read = (group_by: StatsGroup): string => `
  WITH live AS (
    ${unmarked}
  ), counted AS (
    SELECT day, number_id, country, status, direction, calls, answered, duration_seconds, billed_seconds, cost_minor
    FROM call_stats WHERE workspace_id = $1 AND day BETWEEN $2 AND $3
    UNION ALL
    SELECT d.day, number_id, country, status, direction, ${summed}
    FROM live d JOIN calls c ON c.workspace_id = $1 AND ${within}
    GROUP BY d.day, number_id, country, status, direction
  )
  SELECT ${keys[group_by]} AS key, status, sum(calls)::int8 AS calls, sum(answered)::int8 AS answered,
    sum(duration_seconds)::int8 AS duration_seconds, sum(billed_seconds)::int8 AS billed_seconds, sum(cost_minor)::int8 AS cost_minor
  FROM counted WHERE $4::uuid IS NULL OR number_id = $4
  GROUP BY 1, 2`

const reads = Object.fromEntries((Object.keys(keys) as ReadonlyArray<StatsGroup>).map((group_by) => [group_by, read(group_by)]))

const make = (sql: PgClient.PgClient) => {
  /** What of these days is over and not rolled up yet, day by day: a busy one alone may take its while. */
  const rollUpDays = (workspace_id: string, { from_day, to_day }: DayRange): Effect.Effect<void, SqlError.SqlError> =>
    Effect.flatMap(Clock.currentTimeMillis, (now) => {
      const last = Math.min(to_day, dayOf(now - settled_after_ms) - 1)
      if (last < from_day) return Effect.void
      return sql.unsafe<{ readonly day: string }>(missing, [workspace_id, dayText(from_day), dayText(last)]).pipe(
        Effect.flatMap(Effect.forEach(({ day }) => sql.unsafe(rollUp, [workspace_id, day, new Date(now)]), { discard: true }))
      )
    })

  const rows = ({ group_by, number_id, range, workspace_id }: StatsQuery) =>
    forEverybody(rollUpDays(workspace_id, range)).pipe(
      Effect.andThen(sql.unsafe<Row>(reads[group_by]!, [
        workspace_id,
        dayText(range.from_day),
        dayText(range.to_day),
        number_id ?? null
      ])),
      Effect.map((found) => found.map(rowOf)),
      Effect.mapError((cause) => new ReadFailed({ cause }))
    )

  /** The days that have just ended, of every workspace. */
  const rollUpAll = Effect.gen(function*() {
    const today = dayOf(yield* Clock.currentTimeMillis)
    const workspaces = yield* sql<{ readonly id: string }>`SELECT id FROM workspaces`
    const range = { from_day: today - days_back, to_day: today - 1 }
    for (const { id } of workspaces) yield* rollUpDays(id, range)
  })

  return { rows, rollUpAll }
}

/** 00:10 UTC, at which the day before is over for good. */
const untilNextJob = Effect.map(Clock.currentTimeMillis, (now) => {
  const due = dayOf(now) * day_ms + settled_after_ms
  return (due > now ? due : due + day_ms) - now
})

/** A job that fails is made up for by whoever reads the day, and by the next one. */
export const layer = Layer.effect(
  CallStatistics,
  Effect.gen(function*() {
    const { rollUpAll, rows } = make(yield* PgClient.PgClient)
    const job = untilNextJob.pipe(
      Effect.flatMap((wait_ms) => Effect.sleep(wait_ms)),
      Effect.andThen(rollUpAll),
      Effect.catch((error) => Effect.logWarning("The statistics of yesterday were not rolled up; who asks for them does it", error))
    )
    yield* Effect.forkScoped(Effect.forever(job))
    return CallStatistics.of({ rows })
  })
)
