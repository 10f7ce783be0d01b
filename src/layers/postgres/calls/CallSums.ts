// Adds up the calls that are over, a stretch of time after the other: all that a workspace placed before an instant,
// its seal, is in `call_stats`, and none of it counts a second time. Whoever asks for sums reads those, and the calls
// behind the seal. Nothing of it is done while a call is: the job looks for what there is to do, and does it.
import type { PgClient } from "@effect/sql-pg"
import { Clock, Effect } from "effect"
import type { SqlError } from "effect/sql"
import type { WorkspaceId } from "../../../domain/BrandedIds.ts"

/** A call that was placed before then is on disk by now. */
const settled_after_ms = 600_000
/** Added up at a time: a busy stretch alone may take its while. */
const stretch = "1 day"

export const summed = `count(*) AS calls, count(answered_at) AS answered, coalesce(sum(duration_seconds), 0) AS duration_seconds,
  coalesce(sum(billed_seconds), 0) AS billed_seconds, coalesce(sum(cost_minor), 0) AS cost_minor`

export const dayOfCall = "(c.created_at AT TIME ZONE 'UTC')::date"

/** Workspaces with calls behind their seals, and where they begin. */
const open = `
  SELECT w.id, first.created_at AS since FROM workspaces w LEFT JOIN call_stats_sealed s ON s.workspace_id = w.id
  CROSS JOIN LATERAL (
    SELECT c.created_at FROM calls c
    WHERE c.workspace_id = w.id AND c.created_at >= coalesce(s.until, '-infinity') AND c.created_at < $1
    ORDER BY c.created_at LIMIT 1
  ) first`

/** A stretch ends at the oldest call that is still under way. */
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
  ), added AS (
    INSERT INTO call_stats AS s (workspace_id, day, number_id, country, status, direction, calls, answered, duration_seconds,
      billed_seconds, cost_minor)
    SELECT $1, ${dayOfCall}, c.number_id, c.country, c.status, c.direction, ${summed}
    FROM seal JOIN calls c ON c.workspace_id = $1 AND c.created_at >= $2 AND c.created_at < seal.until
    GROUP BY 2, 3, 4, 5, 6
    ON CONFLICT (workspace_id, day, coalesce(number_id, '00000000-0000-0000-0000-000000000000'), coalesce(country, ''), status, direction)
    DO UPDATE SET calls = s.calls + excluded.calls, answered = s.answered + excluded.answered,
      duration_seconds = s.duration_seconds + excluded.duration_seconds, billed_seconds = s.billed_seconds + excluded.billed_seconds,
      cost_minor = s.cost_minor + excluded.cost_minor
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

/** Whatever is over and not added up, of every workspace. Twice at once, in two processes, is as once. */
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
