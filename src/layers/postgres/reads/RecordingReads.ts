import { PgClient } from "@effect/sql-pg"
import { Effect, Layer } from "effect"
import type { After } from "../../../domain/paging/After.ts"
import { ReadFailed } from "../../../domain/errors/ReadFailed.ts"
import { RecordingReads } from "../../../domain/ports/calls/RecordingReads.ts"
import { recordingRecord } from "../../../domain/recordings/Recording.ts"
import { recordingState } from "../../../domain/recordings/StoredRecording.ts"
import type { RecordingId, WorkspaceId } from "../../../domain/BrandedIds.ts"
import { readablePage } from "../../state/ReadablePage.ts"
import { readRow } from "../../state/UnreadableRows.ts"
import { bounds } from "./Bounds.ts"
import type { RecordingFilter } from "../../../domain/recordings/RecordingRecord.ts"

interface Row {
  readonly id: RecordingId
  readonly created_at: Date
  readonly state: object
}

const show = ({ state }: Row) => recordingRecord(recordingState.view(state))

const showFirst =
  (workspace_id: WorkspaceId) =>
  ([row]: ReadonlyArray<Row>) =>
    row === undefined ? Effect.undefined : readRow({ type: "Recording", id: row.id, workspace_id }, () => show(row))

const conditions = (sql: PgClient.PgClient, filter: RecordingFilter, after: After | undefined) => [
  ...(filter.status === undefined ? [] : [sql`status = ${filter.status}`]),
  ...(filter.call_id === undefined ? [] : [sql`call_id = ${filter.call_id}`]),
  ...bounds(sql, { from: filter.created_after, to: filter.created_before }, after)
]

export const layer = Layer.effect(
  RecordingReads,
  Effect.gen(function* () {
    const sql = yield* PgClient.PgClient
    const failed = Effect.mapError((cause: unknown) => new ReadFailed({ cause }))
    return RecordingReads.of({
      find: (workspace_id, id) =>
        sql<Row>`
          SELECT id, created_at, state FROM recordings WHERE id = ${id} AND workspace_id = ${workspace_id}`.pipe(
          failed,
          Effect.flatMap(showFirst(workspace_id))
        ),
      ofCall: (workspace_id, call_id) =>
        sql<Row>`
          SELECT id, created_at, state FROM recordings WHERE call_id = ${call_id} AND workspace_id = ${workspace_id}
          ORDER BY status = 'available' DESC, created_at DESC, id DESC LIMIT 1`.pipe(
          failed,
          Effect.flatMap(showFirst(workspace_id))
        ),
      list: (workspace_id, filter, after, limit) =>
        readablePage({
          after,
          limit,
          rows: (after) =>
            failed(sql<Row>`
              SELECT id, created_at, state FROM recordings
              WHERE ${sql.and([sql`workspace_id = ${workspace_id}`, ...conditions(sql, filter, after)])}
              ORDER BY created_at DESC, id DESC LIMIT ${limit}`),
          of: ({ id }) => ({ type: "Recording", id, workspace_id }),
          placeOf: ({ created_at, id }) => ({ at: created_at.getTime(), id }),
          show
        })
    })
  })
)
