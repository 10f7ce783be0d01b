import { PgClient } from "@effect/sql-pg"
import { Effect, Layer } from "effect"
import { forEverybody } from "../../../domain/access/CurrentTenant.ts"
import { ReadFailed } from "../../../domain/errors/ReadFailed.ts"
import { TrunkReads } from "../../../domain/ports/pbx/TrunkReads.ts"
import type { WorkspaceId } from "../../../domain/BrandedIds.ts"
import type { ServingPlace } from "../../../domain/trunks/ServingPlaces.ts"
import { firstSandboxId, lastSandboxId } from "../../../domain/kit/Sandbox.ts"

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
      servingPlaces: sql<ServingPlace>`
        SELECT workspace_id, definition->>'auth_mode' AS auth_mode, definition->>'host' AS host,
          coalesce(state::jsonb#>'{trunk,serving,addresses}', '[]') AS addresses,
          coalesce(definition->'allowed_ips', '[]') AS allowed_ips
        FROM sip_trunks, LATERAL (SELECT state::jsonb#>'{trunk,serving,definition}' AS definition) AS serving_trunk
        WHERE serving AND workspace_id NOT BETWEEN ${firstSandboxId} AND ${lastSandboxId}`.pipe(
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
