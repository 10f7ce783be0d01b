import { PgClient } from "@effect/sql-pg"
import { Effect, Layer } from "effect"
import { ReadFailed } from "../../domain/ports/ReadFailed.ts"
import { Trunks } from "../../domain/ports/Trunks.ts"

/** A database without the table of trunks has none. */
export const layer = Layer.effect(Trunks, Effect.gen(function*() {
  const sql = yield* PgClient.PgClient
  const active = Effect.fnUntraced(function*(workspace_id: string) {
    const [table] = yield* sql<{ readonly known: boolean }>`SELECT to_regclass('sip_trunks') IS NOT NULL AS known`
    if (!table!.known) return false
    const [row] = yield* sql<{ readonly active: boolean }>`
      SELECT EXISTS (SELECT FROM sip_trunks WHERE workspace_id = ${workspace_id} AND status = 'active') AS active`
    return row!.active
  })
  return Trunks.of({ active: (workspace_id) => Effect.mapError(active(workspace_id), (cause) => new ReadFailed({ cause })) })
}))
