import { PgClient } from "@effect/sql-pg"
import { Effect, Layer } from "effect"
import type { ConferenceId } from "../../../domain/BrandedIds.ts"
import { conferenceRecord } from "../../../domain/conferences/ConferenceRecord.ts"
import { conferenceState } from "../../../domain/conferences/StoredConference.ts"
import { ReadFailed } from "../../../domain/errors/ReadFailed.ts"
import { ConferenceReads } from "../../../domain/ports/calls/ConferenceReads.ts"
import { readablePage } from "../../state/ReadablePage.ts"
import { readRow } from "../../state/UnreadableRows.ts"
import { bounds } from "./Bounds.ts"

interface Row {
  readonly id: ConferenceId
  readonly created_at: Date
  readonly state: object
}

const show = ({ state }: Row) => conferenceRecord(conferenceState.view(state))

export const layer = Layer.effect(
  ConferenceReads,
  Effect.gen(function* () {
    const sql = yield* PgClient.PgClient
    const failed = Effect.mapError((cause: unknown) => new ReadFailed({ cause }))
    return ConferenceReads.of({
      find: (workspace_id, id) =>
        sql<Row>`
          SELECT id, created_at, state FROM conferences WHERE id = ${id} AND workspace_id = ${workspace_id}`.pipe(
          failed,
          Effect.flatMap(([row]) =>
            row === undefined ? Effect.undefined : readRow({ type: "Conference", id, workspace_id }, () => show(row))
          )
        ),
      list: (workspace_id, { name, status }, after, limit) =>
        readablePage({
          after,
          limit,
          rows: (from) =>
            failed(sql<Row>`
              SELECT id, created_at, state FROM conferences
              WHERE ${sql.and([
                sql`workspace_id = ${workspace_id}`,
                ...(status === undefined ? [] : [sql`status = ${status}`]),
                ...(name === undefined ? [] : [sql`name = ${name}`]),
                ...bounds(sql, {}, from)
              ])}
              ORDER BY created_at DESC, id DESC LIMIT ${limit}`),
          of: ({ id }) => ({ type: "Conference", id, workspace_id }),
          placeOf: ({ created_at, id }) => ({ at: created_at.getTime(), id }),
          show
        })
    })
  })
)
