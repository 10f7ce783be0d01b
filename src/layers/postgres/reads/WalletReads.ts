import { PgClient } from "@effect/sql-pg"
import { Effect, Layer } from "effect"
import type { Statement } from "effect/sql"
import type { After } from "../../../domain/paging/After.ts"
import { ReadFailed } from "../../../domain/errors/ReadFailed.ts"
import { WalletReads } from "../../../domain/ports/money/WalletReads.ts"
import { HoldRecord } from "../../../domain/wallet/HoldRecord.ts"
import { StatementEntry, type StatementFilter } from "../../../domain/wallet/StatementEntry.ts"
import { WalletBalance } from "../../../domain/wallet/WalletBalance.ts"
import { type Int8Row, numbersOf } from "../database/Int8Row.ts"
import { bounds } from "./Bounds.ts"
import type { WorkspaceId } from "../../../domain/BrandedIds.ts"

type StoredBalance = Omit<WalletBalance, "available_minor" | "updated_at">

interface BalanceRow extends Int8Row<StoredBalance> {
  readonly updated_at: Date
}

type StoredEntry = Omit<StatementEntry, "sequence" | "created_at">

interface EntryRow extends Int8Row<StoredEntry> {
  readonly sequence: bigint
  readonly created_at: Date
}

interface HoldRow extends Int8Row<Omit<HoldRecord, "placed_at">> {
  readonly placed_at: Date
}

const balanceOf = ({ updated_at, ...row }: BalanceRow): WalletBalance => {
  const wallet = numbersOf<StoredBalance>(row)
  return {
    ...wallet,
    available_minor: wallet.balance_minor - wallet.held_minor,
    updated_at: updated_at.toISOString()
  }
}

const entryOf = ({ created_at, sequence, ...row }: EntryRow): StatementEntry => ({
  ...numbersOf<StoredEntry>(row),
  sequence: Number(sequence),
  created_at: created_at.toISOString()
})

const holdOf = ({ placed_at, ...row }: HoldRow): HoldRecord => ({
  ...numbersOf<Omit<HoldRecord, "placed_at">>(row),
  placed_at: placed_at.toISOString()
})

const { available_minor: _, ...stored } = WalletBalance.fields
const balanceColumns = Object.keys(stored).join(", ")
const entryColumns = Object.keys(StatementEntry.fields).join(", ")
const holdColumns = Object.keys(HoldRecord.fields).join(", ")

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
          SELECT ${sql.literal(balanceColumns)} FROM wallets WHERE workspace_id = ${workspace_id}`.pipe(
          Effect.map(([row]) => row && balanceOf(row)),
          failed
        ),
      statements: (workspace_id, filter, after, limit) =>
        Effect.suspend(() => {
          const { conditions, order } = pageOf(sql, workspace_id, filter, after)
          return sql<EntryRow>`
            SELECT ${sql.literal(entryColumns)} FROM ledger_entries
            WHERE ${sql.and([sql`workspace_id = ${workspace_id}`, ...conditions])} ORDER BY ${order} LIMIT ${limit}`
        }).pipe(
          Effect.map((rows) => rows.map(entryOf)),
          failed
        ),
      holds: (workspace_id, after, limit) =>
        sql<HoldRow>`
          SELECT ${sql.literal(holdColumns)} FROM holds
          WHERE workspace_id = ${workspace_id} AND status = 'open'
            ${after === undefined ? sql`` : sql`AND (placed_at, id) < (${new Date(after.at)}, ${after.id}::uuid)`}
          ORDER BY placed_at DESC, id DESC LIMIT ${limit}`.pipe(
          Effect.map((rows) => rows.map(holdOf)),
          failed
        ),
      entry: (workspace_id, entry_id) =>
        sql<EntryRow>`
          SELECT ${sql.literal(entryColumns)} FROM ledger_entries
          WHERE id = ${entry_id} AND workspace_id = ${workspace_id}`.pipe(
          Effect.map(([row]) => row && entryOf(row)),
          failed
        )
    })
  })
)
