// Counts days again whose sums are from before the sums knew the kind of calls. Afterwards `kind` is a kind, or empty
// if the calls of the day are no longer those that were counted.
import type { PgClient } from "@effect/sql-pg"
import { Effect } from "effect"
import type { SqlError } from "effect/sql"
import type { WorkspaceId } from "../../../domain/BrandedIds.ts"
import { addedUp } from "./CallSums.ts"

interface Day {
  readonly workspace_id: WorkspaceId
  readonly day: string
}

/** The lock keeps other processes from adding to the day meanwhile. */
const seal = "SELECT FROM call_stats_sealed WHERE workspace_id = $1 FOR UPDATE"

const callsOfDay = `calls c WHERE c.workspace_id = $1
    AND c.created_at >= $2::date::timestamp AT TIME ZONE 'UTC' AND c.created_at < ($2::date + 1)::timestamp AT TIME ZONE 'UTC'
    AND c.created_at < (SELECT until FROM call_stats_sealed WHERE workspace_id = $1)`

const compared = `
  SELECT EXISTS (SELECT FROM call_stats WHERE workspace_id = $1 AND day = $2 AND kind IS NULL) AS unknown,
    (SELECT sum(calls) FROM call_stats WHERE workspace_id = $1 AND day = $2) = (SELECT count(*) FROM ${callsOfDay}) AS same`

const countAgain = (sql: PgClient.PgClient, { day, workspace_id }: Day) =>
  sql.withTransaction(
    Effect.gen(function* () {
      yield* sql`SELECT set_config('statement_timeout', '60s', true)`
      yield* sql.unsafe(seal, [workspace_id])
      const [found] = yield* sql.unsafe<{ readonly unknown: boolean; readonly same: boolean | null }>(compared, [
        workspace_id,
        day
      ])
      if (found?.unknown !== true) return
      if (found.same !== true) {
        yield* sql`UPDATE call_stats SET kind = '' WHERE workspace_id = ${workspace_id} AND day = ${day} AND kind IS NULL`
        return
      }
      yield* sql`DELETE FROM call_stats WHERE workspace_id = ${workspace_id} AND day = ${day}`
      yield* sql.unsafe(addedUp(callsOfDay), [workspace_id, day])
    })
  )

/** Newest days first: they are looked at most. Two processes may do this at the same time. */
export const nameKinds = (sql: PgClient.PgClient): Effect.Effect<void, SqlError.SqlError> =>
  sql<Day>`SELECT DISTINCT workspace_id, day::text FROM call_stats WHERE kind IS NULL ORDER BY day DESC LIMIT 1000`.pipe(
    Effect.flatMap((days) => Effect.forEach(days, (day) => countAgain(sql, day), { discard: true }))
  )
