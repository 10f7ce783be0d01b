// Receipts and invoices over the memory journal, with the same results as on PostgreSQL.
import { Effect, Layer } from "effect"
import type { WorkspaceId } from "../../domain/BrandedIds.ts"
import type { LedgerEntryRow } from "../../domain/journal/Rows.ts"
import { BillingReads } from "../../domain/ports/money/BillingReads.ts"
import type { Currency } from "../../domain/wallet/Currency.ts"
import type { StatementEntry } from "../../domain/wallet/StatementEntry.ts"
import type { MemoryJournal } from "../journal/MemoryJournal.ts"

type WalletEntry = LedgerEntryRow & { readonly sequence: number }

const sumOf = (entries: ReadonlyArray<LedgerEntryRow>): number =>
  entries.reduce((sum, { amount_minor }) => sum + amount_minor, 0)

export const layer = ({ tables }: MemoryJournal): Layer.Layer<BillingReads> => {
  const entriesOf = (workspace_id: WorkspaceId): ReadonlyArray<WalletEntry> =>
    tables.ledger
      .flatMap((row) =>
        row.workspace_id === workspace_id && row.sequence !== null ? [{ ...row, sequence: row.sequence }] : []
      )
      .toSorted((a, b) => a.sequence - b.sequence)
  return Layer.succeed(BillingReads)({
    paidTopUp: (workspace_id, topup_id) =>
      Effect.sync(() => {
        const entries = entriesOf(workspace_id)
        const first = entries.find(({ kind, reference_id }) => kind === "topup" && reference_id === topup_id)
        if (first === undefined) return undefined
        const earlier = entries.filter(({ kind, sequence }) => kind === "topup" && sequence <= first.sequence)
        const { provider_reference = null } = JSON.parse(first.metadata) as { provider_reference?: string | null }
        return {
          topup_id,
          entry_id: first.id,
          ordinal: new Set(earlier.map(({ reference_id }) => reference_id)).size,
          amount_minor: first.amount_minor,
          net_minor: sumOf(
            entries.filter(
              ({ kind, reference_id }) => (kind === "topup" || kind === "topup_reversal") && reference_id === topup_id
            )
          ),
          currency: first.currency as Currency,
          description: first.description,
          provider_reference,
          paid_at: first.created_at
        }
      }),
    firstEntry: (workspace_id) => Effect.sync(() => entriesOf(workspace_id)[0]?.created_at),
    month: (workspace_id, from, to) =>
      Effect.sync(() => {
        const entries = entriesOf(workspace_id)
        const within = entries.filter(({ created_at }) => created_at >= from && created_at < to)
        const balanceAt = (at: number) =>
          Number(entries.findLast(({ created_at }) => created_at < at)?.balance_after_minor ?? 0)
        return {
          lines: [...Map.groupBy(within, ({ kind }) => kind)].map(([kind, of]) => ({
            kind: kind as StatementEntry["kind"],
            entries: of.length,
            amount_minor: sumOf(of)
          })),
          opening_balance_minor: balanceAt(from),
          closing_balance_minor: balanceAt(to)
        }
      })
  })
}
