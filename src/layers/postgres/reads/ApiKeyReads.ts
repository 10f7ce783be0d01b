import { PgClient } from "@effect/sql-pg"
import { Effect, Layer } from "effect"
import { apiKeyRecord } from "../../../domain/access/ApiKey.ts"
import { apiKeyOfState } from "../../../domain/access/StoredApiKey.ts"
import { ApiKeyReads } from "../../../domain/ports/access/ApiKeyReads.ts"
import { ReadFailed } from "../../../domain/errors/ReadFailed.ts"
import { readablePage } from "../../state/ReadablePage.ts"
import { readRow } from "../../state/UnreadableRows.ts"
import type { ApiKeyId } from "../../../domain/BrandedIds.ts"

interface Row {
  readonly id: ApiKeyId
  readonly state: object
  readonly last_used_at: Date | null
  readonly created_at: Date
}

const show = ({ id, last_used_at, state }: Row) =>
  apiKeyRecord(apiKeyOfState(id, state), last_used_at?.toISOString() ?? null)

export const layer = Layer.effect(
  ApiKeyReads,
  Effect.gen(function* () {
    const sql = yield* PgClient.PgClient
    const failed = Effect.mapError((cause: unknown) => new ReadFailed({ cause }))
    return ApiKeyReads.of({
      find: (workspace_id, id) =>
        sql<Row>`SELECT id, state, last_used_at, created_at FROM api_keys WHERE workspace_id = ${workspace_id} AND id = ${id}`.pipe(
          failed,
          Effect.flatMap(([row]) =>
            row === undefined ? Effect.undefined : readRow({ type: "ApiKey", id, workspace_id }, () => show(row))
          )
        ),
      countActive: (workspace_id, now) =>
        sql<{ readonly count: bigint }>`SELECT count(*) AS count FROM api_keys
          WHERE workspace_id = ${workspace_id} AND revoked_at IS NULL AND expires_at > ${new Date(now)}`.pipe(
          failed,
          Effect.map(([row]) => Number(row?.count ?? 0))
        ),
      list: (workspace_id, after, limit) =>
        readablePage({
          after,
          limit,
          rows: (from) =>
            failed(sql<Row>`
              SELECT id, state, last_used_at, created_at FROM api_keys
              WHERE ${sql.and([
                sql`workspace_id = ${workspace_id}`,
                ...(from === undefined ? [] : [sql`(created_at, id) < (${new Date(from.at)}, ${from.id}::uuid)`])
              ])}
              ORDER BY created_at DESC, id DESC LIMIT ${limit}`),
          placeOf: ({ created_at, id }) => ({ at: created_at.getTime(), id }),
          of: ({ id }) => ({ type: "ApiKey", id, workspace_id }),
          show
        })
    })
  })
)
