// Sums over calls: for the time before the seal from stored sums, which no longer change (CallSums.ts), and for the
// time after it, usually minutes, from the calls.
import { PgClient } from "@effect/sql-pg"
import { Clock, Effect, Layer } from "effect"
import { dayText, type StatsGroup, type StatsQuery, type StatsRow } from "../../../domain/calls/views/CallStats.ts"
import { CallStatistics } from "../../../domain/ports/calls/CallStatistics.ts"
import { ReadFailed } from "../../../domain/errors/ReadFailed.ts"
import { nameKinds } from "./CallKinds.ts"
import { addUp, dayOfCall, kindOfCall, summed } from "./CallSums.ts"

/** The job runs at full five minutes, so that at 00:10 UTC it adds up the day before. */
const look_every_ms = 300_000

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
  direction: "direction",
  kind: "nullif(kind, '')"
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

/** Both parts are read in one statement, so that each call counts in exactly one of them. */
const read = (group_by: StatsGroup): string => `
  WITH counted AS (
    SELECT day, number_id, country, status, direction, kind, calls, answered, duration_seconds, billed_seconds, cost_minor
    FROM call_stats WHERE workspace_id = $1 AND day BETWEEN $2 AND $3
    UNION ALL
    SELECT ${dayOfCall} AS day, c.number_id, c.country, c.status, c.direction,
      ${group_by === "kind" ? kindOfCall : "NULL"} AS kind, ${summed}
    FROM calls c
    WHERE c.workspace_id = $1 AND c.created_at < ($3::date + 1)::timestamp AT TIME ZONE 'UTC'
      AND c.created_at >= greatest($2::date::timestamp AT TIME ZONE 'UTC', (SELECT until FROM call_stats_sealed WHERE workspace_id = $1))
    GROUP BY 1, 2, 3, 4, 5, 6
  )
  SELECT ${keys[group_by]} AS key, status, sum(calls)::int8 AS calls, sum(answered)::int8 AS answered,
    sum(duration_seconds)::int8 AS duration_seconds, sum(billed_seconds)::int8 AS billed_seconds, sum(cost_minor)::int8 AS cost_minor
  FROM counted WHERE $4::uuid IS NULL OR number_id = $4
  GROUP BY 1, 2`

const untilNextLook = Effect.map(Clock.currentTimeMillis, (now) => look_every_ms - (now % look_every_ms))

/** Adds up ended calls at the start too: after a long stop there may be days of them. */
export const layer = Layer.effect(
  CallStatistics,
  Effect.gen(function* () {
    const sql = yield* PgClient.PgClient
    const look = Effect.catch(Effect.andThen(addUp(sql), nameKinds(sql)), (error) =>
      Effect.logWarning("Adding up the call statistics failed; retrying", error)
    )
    const nextLook = Effect.andThen(
      Effect.flatMap(untilNextLook, (wait_ms) => Effect.sleep(wait_ms)),
      look
    )
    yield* Effect.forkScoped(Effect.andThen(look, Effect.forever(nextLook)))
    return CallStatistics.of({
      rows: ({ group_by, number_id, range, workspace_id }: StatsQuery) =>
        sql
          .unsafe<Row>(read(group_by), [
            workspace_id,
            dayText(range.from_day),
            dayText(range.to_day),
            number_id ?? null
          ])
          .pipe(
            Effect.map((found) => found.map(rowOf)),
            Effect.mapError((cause) => new ReadFailed({ cause }))
          )
    })
  })
)
