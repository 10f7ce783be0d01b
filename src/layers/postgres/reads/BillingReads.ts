import { PgClient } from "@effect/sql-pg"
import { Effect, Layer } from "effect"
import { toTopUpId, type WorkspaceId } from "../../../domain/BrandedIds.ts"
import { ReadFailed } from "../../../domain/errors/ReadFailed.ts"
import { BillingReads } from "../../../domain/ports/money/BillingReads.ts"
import type { Currency } from "../../../domain/wallet/Currency.ts"
import type { StatementEntry } from "../../../domain/wallet/StatementEntry.ts"

interface TopUpRow {
  readonly id: string
  readonly ordinal: bigint
  readonly amount_minor: bigint
  readonly net_minor: bigint
  readonly currency: Currency
  readonly description: string
  readonly provider_reference: string | null
  readonly created_at: Date
}

interface LineRow {
  readonly kind: StatementEntry["kind"]
  readonly entries: bigint
  readonly amount_minor: bigint
}

interface PlaceRow {
  readonly sequence: bigint
  readonly balance_after_minor: bigint
}

const nowhere: PlaceRow = { sequence: 0n, balance_after_minor: 0n }

/** The wallet's last entry before an instant. Times follow the sequence. */
const makePlaceAt = (sql: PgClient.PgClient) => (workspace_id: WorkspaceId, at: number) =>
  Effect.map(
    sql<PlaceRow>`
      SELECT sequence, balance_after_minor FROM ledger_entries
      WHERE workspace_id = ${workspace_id} AND created_at < ${new Date(at)}
      ORDER BY created_at DESC, sequence DESC LIMIT 1`,
    ([row]) => row ?? nowhere
  )

export const layer = Layer.effect(
  BillingReads,
  Effect.gen(function* () {
    const sql = yield* PgClient.PgClient
    const failed = Effect.mapError((cause: unknown) => new ReadFailed({ cause }))
    const placeAt = makePlaceAt(sql)
    return BillingReads.of({
      // `kind <> 'call_charge'` is implied; it lets PostgreSQL use the partial index of all other kinds.
      paidTopUp: (workspace_id, topup_id) =>
        sql<TopUpRow>`
          SELECT e.id, e.amount_minor, e.currency, e.description, e.created_at,
            e.metadata ->> 'provider_reference' AS provider_reference,
            (SELECT count(DISTINCT t.reference_id) FROM ledger_entries t
             WHERE t.workspace_id = ${workspace_id} AND t.kind = 'topup' AND t.kind <> 'call_charge'
               AND t.sequence <= e.sequence) AS ordinal,
            (SELECT sum(m.amount_minor)::int8 FROM ledger_entries m
             WHERE m.workspace_id = ${workspace_id} AND m.kind IN ('topup', 'topup_reversal')
               AND m.kind <> 'call_charge' AND m.reference_id = ${topup_id}) AS net_minor
          FROM ledger_entries e
          WHERE e.workspace_id = ${workspace_id} AND e.kind = 'topup' AND e.kind <> 'call_charge'
            AND e.reference_type = 'topup' AND e.reference_id = ${topup_id}
          ORDER BY e.sequence LIMIT 1`.pipe(
          Effect.map(
            ([row]) =>
              row && {
                topup_id: toTopUpId(topup_id),
                entry_id: row.id,
                ordinal: Number(row.ordinal),
                amount_minor: Number(row.amount_minor),
                net_minor: Number(row.net_minor),
                currency: row.currency,
                description: row.description,
                provider_reference: row.provider_reference,
                paid_at: row.created_at.getTime()
              }
          ),
          failed
        ),
      firstEntry: (workspace_id) =>
        sql<{ readonly created_at: Date }>`
          SELECT created_at FROM ledger_entries WHERE workspace_id = ${workspace_id} AND sequence = 1`.pipe(
          Effect.map(([row]) => row?.created_at.getTime()),
          failed
        ),
      // The lines are those between the two places, so they lead from the one balance to the other by themselves.
      month: (workspace_id, from, to) =>
        Effect.gen(function* () {
          const before = yield* placeAt(workspace_id, from)
          const last = yield* placeAt(workspace_id, to)
          const rows = yield* sql<LineRow>`
            SELECT kind, count(*) AS entries, sum(amount_minor)::int8 AS amount_minor FROM ledger_entries
            WHERE workspace_id = ${workspace_id} AND sequence > ${before.sequence} AND sequence <= ${last.sequence}
            GROUP BY kind`
          return {
            lines: rows.map(({ amount_minor, entries, kind }) => ({
              kind,
              entries: Number(entries),
              amount_minor: Number(amount_minor)
            })),
            opening_balance_minor: Number(before.balance_after_minor),
            closing_balance_minor: Number(last.balance_after_minor)
          }
        }).pipe(failed)
    })
  })
)
