// Wallet reads over the memory journal, with the same results as on PostgreSQL.
import { Effect, Layer } from "effect"
import type { LedgerEntryRow } from "../../domain/journal/Rows.ts"
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
  ...(entry as Pick<
    StatementEntry,
    | "id"
    | "sequence"
    | "kind"
    | "amount_minor"
    | "balance_after_minor"
    | "currency"
    | "reference_type"
    | "reference_id"
    | "description"
  >),
  created_at: new Date(created_at).toISOString(),
  actor: JSON.parse(actor),
  metadata: JSON.parse(metadata)
})

export const layer = ({ tables }: MemoryJournal): Layer.Layer<WalletReads> => {
  const entries = (workspace_id: WorkspaceId) => tables.ledger.filter((row) => row.workspace_id === workspace_id)
  const sequenceOf = (entry_id: string) => tables.ledger.find(({ id }) => id === entry_id)?.sequence ?? Infinity
  return Layer.succeed(WalletReads)({
    balance: (workspace_id) =>
      Effect.sync(() => {
        const columns = tables.snapshot("Wallet", workspace_id)?.columns
        if (columns === undefined) return undefined
        const { balance_minor, currency, held_minor, low_balance_threshold_minor, updated_at } = columns
        return {
          workspace_id,
          balance_minor: Number(balance_minor),
          held_minor: Number(held_minor),
          available_minor: Number(balance_minor) - Number(held_minor),
          currency: currency as WalletBalance["currency"],
          low_balance_threshold_minor: Number(low_balance_threshold_minor),
          updated_at: new Date(Number(updated_at)).toISOString()
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
            placed_at: new Date(placed_at).toISOString()
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
