import { PgClient } from "@effect/sql-pg"
import { Effect, Layer } from "effect"
import { ReadFailed } from "../../../domain/errors/ReadFailed.ts"
import { TrunkReads } from "../../../domain/ports/TrunkReads.ts"
import type { WorkspaceId } from "../../../domain/BrandedIds.ts"

export const layer = Layer.effect(
  TrunkReads,
  Effect.gen(function* () {
    const sql = yield* PgClient.PgClient
    const failed = Effect.mapError((cause: unknown) => new ReadFailed({ cause }))
    return TrunkReads.of({
      standing: (workspace_id) =>
        sql<{ readonly locked: boolean; readonly in_use: boolean }>`
        SELECT number_mode = 'platform' AS locked, EXISTS (
          SELECT FROM numbers n WHERE n.workspace_id = w.id AND n.source = 'byo' AND n.status IN ('active', 'past_due', 'suspended')
        ) AS in_use
        FROM workspaces w WHERE id = ${workspace_id}`.pipe(
          Effect.map(([row]) => row ?? { locked: false, in_use: false }),
          failed
        ),
      workspaceOf: (trunk_id) =>
        sql<{
          readonly workspace_id: WorkspaceId
        }>`SELECT workspace_id FROM sip_trunks WHERE trunk_id = ${trunk_id}`.pipe(
          Effect.map(([row]) => row?.workspace_id),
          failed
        )
    })
  })
)
