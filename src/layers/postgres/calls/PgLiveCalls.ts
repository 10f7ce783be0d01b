import { PgClient } from "@effect/sql-pg"
import { Effect, Layer } from "effect"
import { LiveCalls } from "../../../domain/ports/calls/LiveCalls.ts"
import { ReadFailed } from "../../../domain/errors/ReadFailed.ts"
import type { LiveCall } from "../../../domain/pbx/Session.ts"

/** Finds live calls by their alarms: each has one. So `calls` needs no index for this. */
export const layer = Layer.effect(
  LiveCalls,
  Effect.map(PgClient.PgClient, (sql) =>
    LiveCalls.of({
      onGateway: (gateway_id) =>
        sql<LiveCall>`
          SELECT c.id, c.session_id FROM alarms a JOIN calls c ON c.id = a.actor_id::uuid
          WHERE a.actor_type = 'Call' AND c.status IN ('ringing', 'answered')
            AND c.state #>> '{facts,gateway_id}' = ${gateway_id}`.pipe(
          Effect.mapError((cause) => new ReadFailed({ cause }))
        )
    })
  )
)
