// Wallet reads over the memory journal, with the same results as on PostgreSQL.
import { Effect, Layer } from "effect"
import type { LedgerEntryRow } from "../../domain/journal/Rows.ts"
import { isoInstant } from "../../domain/kit/Instants.ts"
import { WalletReads } from "../../domain/ports/money/WalletReads.ts"
import type { StatementEntry } from "../../domain/wallet/StatementEntry.ts"
import type { WalletBalance } from "../../domain/wallet/WalletBalance.ts"
import type { MemoryJournal } from "../journal/MemoryJournal.ts"
import type { WorkspaceId } from "../../domain/BrandedIds.ts"

const shown = ({
  actor,
  created_at,
  lines: _,
  metadata,
  workspace_id: __,
  ...entry
}: LedgerEntryRow): StatementEntry => ({
  ...(entry as Omit<StatementEntry, "created_at" | "actor" | "metadata">),
  created_at: isoInstant(created_at),
  actor: JSON.parse(actor),
  metadata: JSON.parse(metadata)
})

type StoredBalance = Omit<WalletBalance, "workspace_id" | "available_minor" | "updated_at">

export const layer = ({ tables }: MemoryJournal): Layer.Layer<WalletReads> => {
  const entries = (workspace_id: WorkspaceId) => tables.ledger.filter((row) => row.workspace_id === workspace_id)
  const sequenceOf = (entry_id: string) => tables.ledger.find(({ id }) => id === entry_id)?.sequence ?? Infinity
  return Layer.succeed(WalletReads)({
    balance: (workspace_id) =>
      Effect.sync(() => {
        const columns = tables.snapshot("Wallet", workspace_id)?.columns
        if (columns === undefined) return undefined
        const wallet = columns as StoredBalance
        return {
          workspace_id,
          ...wallet,
          available_minor: wallet.balance_minor - wallet.held_minor,
          updated_at: isoInstant(Number(columns["updated_at"]))
        }
      }),
    statements: (workspace_id, { from = 0, kind, to = Infinity }, after, limit) =>
      Effect.sync(() =>
        entries(workspace_id)
          .filter((row) => (kind === undefined || row.kind === kind) && row.created_at >= from && row.created_at < to)
          .flatMap((row) => (row.sequence === null ? [] : [{ ...row, sequence: row.sequence }]))
          .filter((row) => after === undefined || row.sequence < sequenceOf(after.id))
          .sort((a, b) => b.sequence - a.sequence)
          .slice(0, limit)
          .map(shown)
      ),
    holds: (workspace_id, after, limit) =>
      Effect.sync(() =>
        [...tables.holds.values()]
          .filter((hold) => hold.workspace_id === workspace_id && hold.status === "open")
          .filter(
            (hold) =>
              after === undefined || hold.placed_at < after.at || (hold.placed_at === after.at && hold.id < after.id)
          )
          .sort((a, b) => b.placed_at - a.placed_at || (a.id < b.id ? 1 : -1))
          .slice(0, limit)
          .map(({ amount_minor, call_id, id, placed_at }) => ({
            id,
            call_id,
            amount_minor,
            placed_at: isoInstant(placed_at)
          }))
      ),
    entry: (workspace_id, entry_id) =>
      Effect.sync(
        () =>
          entries(workspace_id)
            .filter(({ id }) => id === entry_id)
            .map(shown)[0]
      )
  })
}
