import { PgClient } from "@effect/sql-pg"
import { Effect, Layer } from "effect"
import type { Statement } from "effect/sql"
import type { After } from "../../../domain/paging/After.ts"
import { ReadFailed } from "../../../domain/errors/ReadFailed.ts"
import { WalletReads } from "../../../domain/ports/money/WalletReads.ts"
import type { HoldRecord } from "../../../domain/wallet/HoldRecord.ts"
import type { StatementEntry, StatementFilter } from "../../../domain/wallet/StatementEntry.ts"
import type { WalletBalance } from "../../../domain/wallet/WalletBalance.ts"
import { bounds } from "./Bounds.ts"
import type { CallId, WorkspaceId } from "../../../domain/BrandedIds.ts"

interface BalanceRow {
  readonly workspace_id: WorkspaceId
  readonly balance_minor: bigint
  readonly held_minor: bigint
  readonly currency: WalletBalance["currency"]
  readonly low_balance_threshold_minor: bigint
  readonly updated_at: Date
}

interface EntryRow extends Omit<StatementEntry, "sequence" | "amount_minor" | "balance_after_minor" | "created_at"> {
  readonly sequence: bigint
  readonly amount_minor: bigint
  readonly balance_after_minor: bigint
  readonly created_at: Date
}

/** Amounts fit into a double: the wallet refuses amounts above 2^53. */
const balanceOf = (row: BalanceRow): WalletBalance => ({
  workspace_id: row.workspace_id,
  balance_minor: Number(row.balance_minor),
  held_minor: Number(row.held_minor),
  available_minor: Number(row.balance_minor - row.held_minor),
  currency: row.currency,
  low_balance_threshold_minor: Number(row.low_balance_threshold_minor),
  updated_at: row.updated_at.toISOString()
})

const entryOf = (row: EntryRow): StatementEntry => ({
  ...row,
  sequence: Number(row.sequence),
  amount_minor: Number(row.amount_minor),
  balance_after_minor: Number(row.balance_after_minor),
  created_at: row.created_at.toISOString()
})

interface HoldRow {
  readonly id: string
  readonly call_id: CallId
  readonly amount_minor: bigint
  readonly placed_at: Date
}

const holdOf = ({ amount_minor, placed_at, ...row }: HoldRow): HoldRecord => ({
  ...row,
  amount_minor: Number(amount_minor),
  placed_at: placed_at.toISOString()
})

const columns =
  "id, sequence, kind, amount_minor, balance_after_minor, currency, reference_type, reference_id, description, created_at, actor, metadata"

/** The place of the entry that a cursor names. */
const sequenceOf = (sql: PgClient.PgClient, workspace_id: WorkspaceId, { id }: After) =>
  sql`(SELECT sequence FROM ledger_entries WHERE id = ${id}::uuid AND workspace_id = ${workspace_id})`

/**
 * The conditions of one page, and its order. Times follow the sequence, except where a clock was set back before there
 * was one. So a statement without a filter is ordered by the sequence alone; the others are found by time.
 */
const pageOf = (
  sql: PgClient.PgClient,
  workspace_id: WorkspaceId,
  filter: StatementFilter,
  after: After | undefined
) => {
  const place = after && sequenceOf(sql, workspace_id, after)
  const isWhole = filter.kind === undefined && filter.from === undefined && filter.to === undefined
  return isWhole
    ? { conditions: place ? [sql`sequence < ${place}`] : [], order: sql`sequence DESC` }
    : { conditions: conditions(sql, filter, after, place), order: sql`created_at DESC, sequence DESC` }
}

const conditions = (
  sql: PgClient.PgClient,
  filter: StatementFilter,
  after: After | undefined,
  place: Statement.Fragment | undefined
) => [
  ...(filter.kind === undefined ? [] : [sql`kind = ${filter.kind}`]),
  // Implied, but it lets PostgreSQL use the partial index of all other kinds.
  ...(filter.kind === undefined || filter.kind === "call_charge" ? [] : [sql`kind <> 'call_charge'`]),
  ...bounds(sql, filter, after, place && { column: "sequence", value: place })
]

export const layer = Layer.effect(
  WalletReads,
  Effect.gen(function* () {
    const sql = yield* PgClient.PgClient
    const failed = Effect.mapError((cause: unknown) => new ReadFailed({ cause }))
    return WalletReads.of({
      balance: (workspace_id) =>
        sql<BalanceRow>`
          SELECT workspace_id, balance_minor, held_minor, currency, low_balance_threshold_minor, updated_at
          FROM wallets WHERE workspace_id = ${workspace_id}`.pipe(
          Effect.map(([row]) => row && balanceOf(row)),
          failed
        ),
      statements: (workspace_id, filter, after, limit) =>
        Effect.suspend(() => {
          const { conditions, order } = pageOf(sql, workspace_id, filter, after)
          return sql<EntryRow>`
            SELECT ${sql.literal(columns)} FROM ledger_entries
            WHERE ${sql.and([sql`workspace_id = ${workspace_id}`, ...conditions])} ORDER BY ${order} LIMIT ${limit}`
        }).pipe(
          Effect.map((rows) => rows.map(entryOf)),
          failed
        ),
      holds: (workspace_id, after, limit) =>
        sql<HoldRow>`
          SELECT id, call_id, amount_minor, placed_at FROM holds
          WHERE workspace_id = ${workspace_id} AND status = 'open'
            ${after === undefined ? sql`` : sql`AND (placed_at, id) < (${new Date(after.at)}, ${after.id}::uuid)`}
          ORDER BY placed_at DESC, id DESC LIMIT ${limit}`.pipe(
          Effect.map((rows) => rows.map(holdOf)),
          failed
        ),
      entry: (workspace_id, entry_id) =>
        sql<EntryRow>`
          SELECT ${sql.literal(columns)} FROM ledger_entries
          WHERE id = ${entry_id} AND workspace_id = ${workspace_id}`.pipe(
          Effect.map(([row]) => row && entryOf(row)),
          failed
        )
    })
  })
)
