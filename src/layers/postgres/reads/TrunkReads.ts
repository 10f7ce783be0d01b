import { PgClient } from "@effect/sql-pg"
import { Effect, Layer } from "effect"
import { forEverybody } from "../../../domain/access/CurrentTenant.ts"
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
      isHostOfOthers: (workspace_id, { addresses, host }) =>
        sql<{ readonly found: boolean }>`
        SELECT EXISTS (
          SELECT FROM sip_trunks
          WHERE serving AND workspace_id <> ${workspace_id} AND ARRAY(
            SELECT lower(state#>>'{trunk,serving,definition,host}')
            UNION ALL SELECT jsonb_array_elements_text(state::jsonb#>'{trunk,serving,addresses}')
          ) && ARRAY(SELECT json_array_elements_text(${JSON.stringify([host.toLowerCase(), ...addresses])}::json))
        ) AS found`.pipe(
          Effect.map(([row]) => row?.found === true),
          failed,
          // A request's connection sees the rows of its own workspace alone.
          forEverybody
        ),
      providerHosts: sql<{ readonly host: string }>`SELECT host FROM number_providers WHERE status = 'active'`.pipe(
        Effect.map((rows) => rows.map(({ host }) => host)),
        failed,
        forEverybody
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
