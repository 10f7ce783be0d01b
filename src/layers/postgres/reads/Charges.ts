import { PgClient } from "@effect/sql-pg"
import { Effect, Layer } from "effect"
import { Charges } from "../../../domain/ports/calls/Charges.ts"
import { NotCommitted } from "../../../domain/errors/NotCommitted.ts"
import type { OrphanedHold } from "../../../domain/wallet/HoldRecord.ts"

export const layer = Layer.effect(
  Charges,
  Effect.gen(function* () {
    const sql = yield* PgClient.PgClient
    const failed = Effect.mapError((cause: unknown) => new NotCommitted({ reason: "unavailable", cause }))
    return Charges.of({
      ofCall: (workspace_id, call_id) =>
        sql<{ readonly entry_id: string; readonly amount_minor: bigint }>`
          SELECT id AS entry_id, -amount_minor AS amount_minor FROM ledger_entries
          WHERE kind = 'call_charge' AND reference_id = ${call_id} AND workspace_id = ${workspace_id}`.pipe(
          Effect.map(([row]) => row && { entry_id: row.entry_id, amount_minor: Number(row.amount_minor) }),
          failed
        ),
      orphanedHolds: (workspace_id, placed_before) =>
        sql<OrphanedHold>`
          SELECT h.id, c.id IS NULL AS unused FROM holds h LEFT JOIN calls c ON c.id = h.call_id AND c.workspace_id = h.workspace_id
          WHERE h.workspace_id = ${workspace_id} AND h.status = 'open' AND h.placed_at < ${new Date(placed_before)}
            AND (c.id IS NULL OR c.status NOT IN ('ringing', 'answered'))`.pipe(failed)
    })
  })
)
