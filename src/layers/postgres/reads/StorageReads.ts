import { PgClient } from "@effect/sql-pg"
import { Effect, Layer } from "effect"
import { ReadFailed } from "../../../domain/errors/ReadFailed.ts"
import { StorageReads } from "../../../domain/ports/calls/StorageReads.ts"
import { readRow } from "../../state/UnreadableRows.ts"
import { storageState } from "../../../domain/storage/Storage.ts"
import type { RecordingId } from "../../../domain/BrandedIds.ts"
import { expectPresent } from "../../../domain/ExpectPresent.ts"

/** A partial index of available recordings includes their sizes, so the sum reads no rows of the table. */
export const layer = Layer.effect(
  StorageReads,
  Effect.gen(function* () {
    const sql = yield* PgClient.PgClient
    const failed = Effect.mapError((cause: unknown) => new ReadFailed({ cause }))
    return StorageReads.of({
      storage: (workspace_id) =>
        sql<{ readonly state: object }>`
          SELECT state FROM actors WHERE actor_type = 'Storage' AND actor_id = ${workspace_id} AND workspace_id = ${workspace_id}`.pipe(
          failed,
          Effect.flatMap(([row]) =>
            row === undefined
              ? Effect.undefined
              : readRow({ type: "Storage", id: workspace_id, workspace_id }, () => storageState.view(row.state))
          )
        ),
      usage: (workspace_id) =>
        sql<{ readonly used_bytes: bigint; readonly recordings: bigint }>`
          SELECT coalesce(sum(size_bytes), 0)::int8 AS used_bytes, count(*) AS recordings FROM recordings
          WHERE workspace_id = ${workspace_id} AND status = 'available'`.pipe(
          Effect.map(([row]) => {
            const { recordings, used_bytes } = expectPresent(row, "The row of sums")
            return { used_bytes: Number(used_bytes), recordings: Number(recordings) }
          }),
          failed
        ),
      oldest: (workspace_id, limit) =>
        sql<{ readonly id: RecordingId; readonly size_bytes: bigint }>`
          SELECT id, size_bytes FROM recordings WHERE workspace_id = ${workspace_id} AND status = 'available'
          ORDER BY created_at, id LIMIT ${limit}`.pipe(
          Effect.map((rows) => rows.map(({ id, size_bytes }) => ({ id, size_bytes: Number(size_bytes) }))),
          failed
        ),
      prices: (currency) =>
        sql<{ readonly tier_mb: number; readonly monthly_price_minor: bigint }>`
          SELECT tier_mb, monthly_price_minor FROM storage_prices WHERE currency = ${currency}`.pipe(
          Effect.map((rows) => Object.fromEntries(rows.map((row) => [row.tier_mb, Number(row.monthly_price_minor)]))),
          failed
        )
    })
  })
)
