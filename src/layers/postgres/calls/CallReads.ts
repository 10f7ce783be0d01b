import { PgClient } from "@effect/sql-pg"
import { Effect, Layer } from "effect"
import type { CallEventRecord } from "../../../domain/calls/views/CallEventRecord.ts"
import { callRecordFromState } from "../../../domain/calls/views/CallView.ts"
import { CallReads } from "../../../domain/ports/calls/CallReads.ts"
import { ReadFailed } from "../../../domain/errors/ReadFailed.ts"
import { readRow } from "../../state/UnreadableRows.ts"
import { callFinder } from "./CallFinder.ts"

interface StateRow {
  readonly id: string
  readonly state: string
}

interface EventRow extends Omit<CallEventRecord, "occurred_at"> {
  readonly occurred_at: Date
}

/** Beyond every sequence, which is an `int4`. */
const latest = 2_147_483_647

const eventOf = (row: EventRow): CallEventRecord => ({ ...row, occurred_at: row.occurred_at.toISOString() })

/** States are read as text, so that they are parsed once, by the function that makes the record. */
export const layer = Layer.effect(
  CallReads,
  Effect.gen(function* () {
    const sql = yield* PgClient.PgClient
    const found = callFinder(sql)
    const only = {
      all: sql``,
      turns: sql`AND kind = 'transcript.turn'`,
      lifecycle: sql`AND kind <> 'transcript.turn'`
    }
    const failed = Effect.mapError((cause: unknown) => new ReadFailed({ cause }))
    return CallReads.of({
      find: (workspace_id, ref) =>
        sql<StateRow>`
          SELECT id, state::text AS state FROM calls
          WHERE workspace_id = ${workspace_id} AND ${ref.startsWith("HD_") ? sql`session_id = ${ref}` : sql`id = ${ref}`}`.pipe(
          failed,
          Effect.flatMap(([row]) =>
            row === undefined
              ? Effect.undefined
              : readRow({ type: "Call", id: row.id, workspace_id }, () => callRecordFromState(row.state))
          )
        ),
      list: (workspace_id, filter, after, limit) => failed(found({ workspace_id, filter, after, limit })),
      events: (workspace_id, call_id, after_sequence, limit, what = "lifecycle") =>
        sql<EventRow>`
          SELECT id, kind, sequence, occurred_at, late, payload FROM events
          WHERE subject_id = ${call_id} AND sequence > ${after_sequence} AND workspace_id = ${workspace_id}
            ${only[what]}
          ORDER BY sequence LIMIT ${limit}`.pipe(
          Effect.map((rows) => rows.map(eventOf)),
          failed
        ),
      latestEvents: (workspace_id, call_id, limit, what, before_sequence = latest) =>
        sql<EventRow>`
          SELECT id, kind, sequence, occurred_at, late, payload FROM events
          WHERE subject_id = ${call_id} AND sequence < ${before_sequence} AND workspace_id = ${workspace_id} ${only[what]}
          ORDER BY sequence DESC LIMIT ${limit}`.pipe(
          Effect.map((rows) => rows.map(eventOf).toReversed()),
          failed
        )
    })
  })
)
