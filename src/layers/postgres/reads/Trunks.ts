import { PgClient } from "@effect/sql-pg"
import { Effect, Layer } from "effect"
import { ReadFailed } from "../../../domain/errors/ReadFailed.ts"
import { Trunks } from "../../../domain/ports/pbx/Trunks.ts"

/** A trunk that is being changed keeps serving with its old definition. */
export const layer = Layer.effect(
  Trunks,
  Effect.gen(function* () {
    const sql = yield* PgClient.PgClient
    return Trunks.of({
      active: (workspace_id) =>
        sql<{ readonly active: boolean }>`
        SELECT EXISTS (SELECT FROM sip_trunks WHERE workspace_id = ${workspace_id} AND serving) AS active`.pipe(
          Effect.map(([row]) => row?.active === true),
          Effect.mapError((cause) => new ReadFailed({ cause }))
        )
    })
  })
)
