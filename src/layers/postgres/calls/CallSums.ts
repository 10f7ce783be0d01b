// Adds up ended calls period by period. All calls that a workspace placed before its seal are in `call_stats`, and none
// is counted twice. Statistics read these sums and the calls after the seal. A background job does this, so calls do
// not pay for it.
import type { PgClient } from "@effect/sql-pg"
import { Clock, Effect } from "effect"
import type { SqlError } from "effect/sql"
import type { WorkspaceId } from "../../../domain/BrandedIds.ts"

/** Calls that are older than this are stored. */
const settled_after_ms = 600_000
/** The period that is added up at a time, because a busy one takes a while. */
const stretch = "1 day"

export const summed = `count(*) AS calls, count(answered_at) AS answered, coalesce(sum(duration_seconds), 0) AS duration_seconds,
  coalesce(sum(billed_seconds), 0) AS billed_seconds, coalesce(sum(cost_minor), 0) AS cost_minor`

/** The state is read for it, so statistics that do not show kinds leave it out. */
export const kindOfCall = "coalesce(c.state->'facts'->>'kind', 'api')"

export const dayOfCall = "(c.created_at AT TIME ZONE 'UTC')::date"

/** Adds the calls `c` of a workspace, `$1`, to its sums. */
export const addedUp = (calls: string): string => `
    INSERT INTO call_stats AS s (workspace_id, day, number_id, country, status, direction, kind, calls, answered, duration_seconds,
      billed_seconds, cost_minor)
    SELECT $1, ${dayOfCall}, c.number_id, c.country, c.status, c.direction, ${kindOfCall}, ${summed}
    FROM ${calls}
    GROUP BY 2, 3, 4, 5, 6, 7
    ON CONFLICT (workspace_id, day, coalesce(number_id, '00000000-0000-0000-0000-000000000000'), coalesce(country, ''), status,
      direction, coalesce(kind, ''))
    DO UPDATE SET calls = s.calls + excluded.calls, answered = s.answered + excluded.answered,
      duration_seconds = s.duration_seconds + excluded.duration_seconds, billed_seconds = s.billed_seconds + excluded.billed_seconds,
      cost_minor = s.cost_minor + excluded.cost_minor`

/** Workspaces with calls after their seal, and the time of the first. */
const open = `
  SELECT w.id, first.created_at AS since FROM workspaces w LEFT JOIN call_stats_sealed s ON s.workspace_id = w.id
  CROSS JOIN LATERAL (
    SELECT c.created_at FROM calls c
    WHERE c.workspace_id = w.id AND c.created_at >= coalesce(s.until, '-infinity') AND c.created_at < $1
    ORDER BY c.created_at LIMIT 1
  ) first`

/** Adds up one period and moves the seal to its end. The period ends before the oldest call that is in progress. */
const sealed = `
  WITH until AS (
    SELECT least($3, $2 + interval '${stretch}', (
      SELECT date_trunc('milliseconds', min(c.created_at)) FROM calls c
      WHERE c.workspace_id = $1 AND c.created_at >= $2 AND c.created_at < least($3, $2 + interval '${stretch}')
        AND c.status IN ('ringing', 'answered')
    )) AS at
  ), seal AS (
    INSERT INTO call_stats_sealed (workspace_id, until) SELECT $1, at FROM until WHERE at > $2
    ON CONFLICT (workspace_id) DO UPDATE SET until = excluded.until WHERE call_stats_sealed.until <= $2
    RETURNING until
  ), added AS (${addedUp("seal JOIN calls c ON c.workspace_id = $1 AND c.created_at >= $2 AND c.created_at < seal.until")}
  )
  SELECT until < $3 AND until = $2 + interval '${stretch}' AS more, until FROM seal`

interface Open {
  readonly id: WorkspaceId
  readonly since: Date
}

interface Sealed {
  readonly more: boolean
  readonly until: Date
}

/** Adds up the ended calls of all workspaces. Two processes may do this at the same time: each call counts once. */
export const addUp = (sql: PgClient.PgClient): Effect.Effect<void, SqlError.SqlError> => {
  const stretchOf = (workspace_id: WorkspaceId, since: Date, last: Date) =>
    sql.withTransaction(
      Effect.andThen(
        sql`SELECT set_config('statement_timeout', '60s', true)`,
        sql.unsafe<Sealed>(sealed, [workspace_id, since, last])
      )
    )

  const ofWorkspace = Effect.fnUntraced(function* ({ id, since }: Open, last: Date) {
    let from: Date | undefined = since
    while (from !== undefined) {
      const [made]: ReadonlyArray<Sealed> = yield* stretchOf(id, from, last)
      from = made?.more === true ? made.until : undefined
    }
  })

  return Effect.gen(function* () {
    const last = new Date((yield* Clock.currentTimeMillis) - settled_after_ms)
    const workspaces = yield* sql.unsafe<Open>(open, [last])
    yield* Effect.forEach(workspaces, (workspace) => ofWorkspace(workspace, last), { discard: true })
  })
}
