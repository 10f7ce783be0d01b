import { PgClient } from "@effect/sql-pg"
import { Effect, Layer } from "effect"
import { GatewayTenants } from "../../../domain/ports/GatewayTenants.ts"
import { ReadFailed } from "../../../domain/errors/ReadFailed.ts"
import type { WorkspaceId } from "../../../domain/BrandedIds.ts"

export const layer = Layer.effect(
  GatewayTenants,
  Effect.gen(function* () {
    const sql = yield* PgClient.PgClient
    return GatewayTenants.of({
      provisioned: (gateway_id) =>
        sql<{ readonly id: WorkspaceId }>`
        SELECT id FROM workspaces w
        WHERE gateway_id = ${gateway_id} AND (
          EXISTS (SELECT FROM sip_credentials c WHERE c.workspace_id = w.id)
          OR EXISTS (SELECT FROM sip_trunks t WHERE t.workspace_id = w.id)
        )`.pipe(
          Effect.map((rows) => rows.map(({ id }) => id)),
          Effect.mapError((cause) => new ReadFailed({ cause }))
        )
    })
  })
)
