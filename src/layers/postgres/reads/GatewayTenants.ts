import { PgClient } from "@effect/sql-pg"
import { Effect, Layer } from "effect"
import { GatewayTenants } from "../../../domain/ports/pbx/GatewayTenants.ts"
import { ReadFailed } from "../../../domain/errors/ReadFailed.ts"
import type { CarryingGateway } from "../../../domain/pbx/GatewayRecord.ts"
import type { NumberId, WorkspaceId } from "../../../domain/BrandedIds.ts"

export const layer = Layer.effect(
  GatewayTenants,
  Effect.gen(function* () {
    const sql = yield* PgClient.PgClient
    const failed = Effect.mapError((cause: unknown) => new ReadFailed({ cause }))
    return GatewayTenants.of({
      carried: (gateway_id) =>
        sql<{ readonly count: number }>`
        SELECT count(*)::int AS count FROM workspaces WHERE gateway_id = ${gateway_id} AND status <> 'closed'`.pipe(
          Effect.map(([row]) => row?.count ?? 0),
          failed
        ),
      all: sql<CarryingGateway>`
        SELECT g.gateway_id, count(w.id)::int AS workspaces
        FROM (
          SELECT gateway_id FROM workspaces
          UNION SELECT actor_id FROM actors WHERE actor_type = 'Gateway'
        ) g LEFT JOIN workspaces w ON w.gateway_id = g.gateway_id AND w.status <> 'closed'
        GROUP BY g.gateway_id ORDER BY g.gateway_id`.pipe(failed),
      provisioned: (gateway_id) =>
        sql<{ readonly id: WorkspaceId }>`
        SELECT id FROM workspaces w
        WHERE gateway_id = ${gateway_id} AND (
          EXISTS (SELECT FROM sip_credentials c WHERE c.workspace_id = w.id)
          OR EXISTS (SELECT FROM sip_trunks t WHERE t.workspace_id = w.id)
        )`.pipe(
          Effect.map((rows) => rows.map(({ id }) => id)),
          failed
        ),
      chatAppNumbers: (gateway_id) =>
        sql<{ readonly id: NumberId }>`
        SELECT a.actor_id AS id FROM actors a JOIN workspaces w ON w.id = a.workspace_id
        WHERE a.actor_type = 'ChatApp' AND w.gateway_id = ${gateway_id}`.pipe(
          Effect.map((rows) => rows.map(({ id }) => id)),
          failed
        )
    })
  })
)
