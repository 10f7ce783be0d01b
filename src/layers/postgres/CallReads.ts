import { PgClient } from "@effect/sql-pg"
import { Effect, Layer } from "effect"
import type { CallEventRecord } from "../../domain/calls/CallEventRecord.ts"
import { forEverybody } from "../../domain/access/CurrentTenant.ts"
import { callRecordFromState } from "../../domain/calls/CallView.ts"
import type { After } from "../../domain/paging/After.ts"
import { type CallFilter, CallReads } from "../../domain/ports/CallReads.ts"
import { ReadFailed } from "../../domain/ports/ReadFailed.ts"

interface StateRow {
  readonly state: string
}

interface EventRow extends Omit<CallEventRecord, "occurred_at"> {
  readonly occurred_at: Date
}

const isUnderWay = ({ status }: CallFilter): boolean => status === "ringing" || status === "answered"

/** Few calls are under way, and each of them has an alarm: they are found without a look at those that have ended. */
const underWay = (sql: PgClient.PgClient, workspace_id: string) =>
  Effect.map(
    forEverybody(sql<{ readonly id: string }>`
      SELECT c.id FROM alarms a JOIN calls c ON c.id = a.actor_id::uuid
      WHERE a.actor_type = 'Call' AND c.workspace_id = ${workspace_id}`),
    (rows) => [sql`id = ANY (${rows.map(({ id }) => id)}::uuid[])`]
  )

const conditions = (sql: PgClient.PgClient, filter: CallFilter, after: After | undefined) => [
  ...(filter.status === undefined ? [] : [sql`status = ${filter.status}`]),
  ...(filter.direction === undefined ? [] : [sql`direction = ${filter.direction}`]),
  ...(filter.from === undefined ? [] : [sql`from_e164 = ${filter.from}`]),
  ...(filter.to === undefined ? [] : [sql`to_e164 = ${filter.to}`]),
  ...(filter.number_id === undefined ? [] : [sql`number_id = ${filter.number_id}`]),
  ...(filter.client_reference === undefined ? [] : [sql`client_reference = ${filter.client_reference}`]),
  ...(filter.created_after === undefined ? [] : [sql`created_at >= ${new Date(filter.created_after)}`]),
  ...(filter.created_before === undefined ? [] : [sql`created_at < ${new Date(filter.created_before)}`]),
  ...(after === undefined ? [] : [sql`(created_at, id) < (${new Date(after.at)}, ${after.id}::uuid)`])
]

/** The state is read as text and parsed once, by the function that makes the record of it. */
export const layer = Layer.effect(
  CallReads,
  Effect.gen(function*() {
    const sql = yield* PgClient.PgClient
    const failed = Effect.mapError((cause: unknown) => new ReadFailed({ cause }))
    return CallReads.of({
      find: (workspace_id, ref) =>
        sql<StateRow>`
          SELECT state::text AS state FROM calls
          WHERE workspace_id = ${workspace_id} AND ${ref.startsWith("HD_") ? sql`session_id = ${ref}` : sql`id = ${ref}`}`.pipe(
          Effect.map(([row]) => row && callRecordFromState(row.state)),
          failed
        ),
      list: (workspace_id, filter, after, limit) =>
        (isUnderWay(filter) ? underWay(sql, workspace_id) : Effect.succeed([])).pipe(
          Effect.flatMap((live) =>
            sql<StateRow>`
              SELECT state::text AS state FROM calls
              WHERE ${sql.and([sql`workspace_id = ${workspace_id}`, ...live, ...conditions(sql, filter, after)])}
              ORDER BY created_at DESC, id DESC LIMIT ${limit}`),
          Effect.map((rows) => rows.map(({ state }) => callRecordFromState(state))),
          failed
        ),
      events: (workspace_id, call_id, after_sequence, limit, what = "lifecycle") =>
        sql<EventRow>`
          SELECT id, kind, sequence, occurred_at, late, payload FROM events
          WHERE subject_id = ${call_id} AND sequence > ${after_sequence} AND workspace_id = ${workspace_id}
            ${what === "all" ? sql`` : what === "turns" ? sql`AND kind = 'transcript.turn'` : sql`AND kind <> 'transcript.turn'`}
          ORDER BY sequence LIMIT ${limit}`.pipe(
          Effect.map((rows) => rows.map((row) => ({ ...row, occurred_at: row.occurred_at.toISOString() }))),
          failed
        )
    })
  })
)
