// Sums of calls that an older engine stored do not know kinds. Their days are counted again here. A day keeps its old
// sums, with an empty kind, if the calls are no longer those that were counted, or too many to count.
import type { PgClient } from "@effect/sql-pg"
import { Effect } from "effect"
import { SqlError } from "effect/sql"
import type { WorkspaceId } from "../../../domain/BrandedIds.ts"
import { addedUp } from "./CallSums.ts"

interface Day {
  readonly workspace_id: WorkspaceId
  readonly day: string
}

/** Keeps other processes from adding to the day meanwhile. A day that another process has locked is left to it. */
const seal = "SELECT 1 FROM call_stats_sealed WHERE workspace_id = $1 FOR UPDATE SKIP LOCKED"

const callsOfDay = `calls c WHERE c.workspace_id = $1
    AND c.created_at >= $2::date::timestamp AT TIME ZONE 'UTC' AND c.created_at < ($2::date + 1)::timestamp AT TIME ZONE 'UTC'
    AND c.created_at < (SELECT until FROM call_stats_sealed WHERE workspace_id = $1)`

const compared = `
  SELECT EXISTS (SELECT FROM call_stats WHERE workspace_id = $1 AND day = $2 AND kind IS NULL) AS unknown,
    (SELECT sum(calls) FROM call_stats WHERE workspace_id = $1 AND day = $2) = (SELECT count(*) FROM ${callsOfDay}) AS same`

const countAgain = (sql: PgClient.PgClient, { day, workspace_id }: Day, limit: string) =>
  sql.withTransaction(
    Effect.gen(function* () {
      yield* sql`SELECT set_config('statement_timeout', ${limit}, true)`
      if ((yield* sql.unsafe(seal, [workspace_id])).length === 0) return
      const [found] = yield* sql.unsafe<{ readonly unknown: boolean; readonly same: boolean | null }>(compared, [
        workspace_id,
        day
      ])
      if (found?.unknown !== true) return
      if (found.same !== true) return yield* keepSums(sql, { day, workspace_id })
      yield* sql`DELETE FROM call_stats WHERE workspace_id = ${workspace_id} AND day = ${day}`
      yield* sql.unsafe(addedUp(callsOfDay), [workspace_id, day])
    })
  )

const keepSums = (sql: PgClient.PgClient, { day, workspace_id }: Day) =>
  Effect.asVoid(
    sql`UPDATE call_stats SET kind = '' WHERE workspace_id = ${workspace_id} AND day = ${day} AND kind IS NULL`
  )

const isTimeout = ({ reason }: SqlError.SqlError): boolean => reason instanceof SqlError.StatementTimeoutError

/**
 * Newest days first: they are looked at most. Two processes may do this at the same time. `limit`: how long a statement
 * about one day may take.
 */
export const nameKinds = (sql: PgClient.PgClient, limit = "60s"): Effect.Effect<void, SqlError.SqlError> =>
  sql<Day>`SELECT DISTINCT workspace_id, day::text FROM call_stats WHERE kind IS NULL ORDER BY day DESC LIMIT 1000`.pipe(
    Effect.flatMap((days) =>
      Effect.forEach(days, (day) => Effect.catchIf(countAgain(sql, day, limit), isTimeout, () => keepSums(sql, day)), {
        discard: true
      })
    )
  )
