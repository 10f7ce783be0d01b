import { PgClient } from "@effect/sql-pg"
import { Effect, Layer } from "effect"
import { apiKeyRecord, type PresentApiKey } from "../../../domain/access/ApiKey.ts"
import { ApiKeyReads } from "../../../domain/ports/ApiKeyReads.ts"
import { ReadFailed } from "../../../domain/errors/ReadFailed.ts"

interface Row {
  readonly id: string
  readonly state: Pick<PresentApiKey, "facts" | "revoked_at">
  readonly last_used_at: Date | null
}

const show = ({ id, last_used_at, state: { facts, revoked_at } }: Row) =>
  apiKeyRecord({ id, facts, revoked_at }, last_used_at?.toISOString() ?? null)

export const layer = Layer.effect(
  ApiKeyReads,
  Effect.gen(function* () {
    const sql = yield* PgClient.PgClient
    const failed = Effect.mapError((cause: unknown) => new ReadFailed({ cause }))
    return ApiKeyReads.of({
      find: (workspace_id, id) =>
        sql<Row>`SELECT id, state, last_used_at FROM api_keys WHERE workspace_id = ${workspace_id} AND id = ${id}`.pipe(
          Effect.map(([row]) => row && show(row)),
          failed
        ),
      list: (workspace_id, after, limit) =>
        sql<Row>`
          SELECT id, state, last_used_at FROM api_keys
          WHERE ${sql.and([
            sql`workspace_id = ${workspace_id}`,
            ...(after === undefined ? [] : [sql`(created_at, id) < (${new Date(after.at)}, ${after.id}::uuid)`])
          ])}
          ORDER BY created_at DESC, id DESC LIMIT ${limit}`.pipe(
          Effect.map((rows) => rows.map(show)),
          failed
        )
    })
  })
)
