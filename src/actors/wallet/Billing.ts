// Receipts of top-ups and invoices of months, for HTTP and the library. Both are made of the ledger alone.
import { Clock, Context, Effect, Layer } from "effect"
import { forEverybody } from "../../domain/access/CurrentTenant.ts"
import type { TopUpId, WorkspaceId } from "../../domain/BrandedIds.ts"
import type { NotCommitted } from "../../domain/errors/NotCommitted.ts"
import type { ReadFailed } from "../../domain/errors/ReadFailed.ts"
import { ReceiptNotFound } from "../../domain/errors/TopUpErrors.ts"
import { InvoiceNotFound, WalletNotFound } from "../../domain/errors/WalletErrors.ts"
import { BillingReads } from "../../domain/ports/money/BillingReads.ts"
import { Directory } from "../../domain/ports/access/Directory.ts"
import { IncomingPaymentReferences } from "../../domain/ports/money/IncomingPaymentReferences.ts"
import { InvoiceIssuer } from "../../domain/ports/money/InvoiceIssuer.ts"
import { WalletReads } from "../../domain/ports/money/WalletReads.ts"
import { traced } from "../../domain/Traced.ts"
import { beginOf, endOf, monthOf } from "../../domain/wallet/CalendarMonth.ts"
import { type Invoice, invoiceOf, invoicesOf, type InvoiceSummary, isInvoiced } from "../../domain/wallet/Invoice.ts"
import { type Parties, type Receipt, receiptOf } from "../../domain/wallet/Receipt.ts"
import { WalletCommands } from "../../domain/wallet/WalletCommand.ts"
import { ActorSystem } from "../runtime/ActorSystem.ts"

export class Billing extends Context.Service<
  Billing,
  {
    /** The receipt of a top-up that was credited. */
    readonly receipt: (
      workspace_id: WorkspaceId,
      topup_id: TopUpId
    ) => Effect.Effect<Receipt, ReceiptNotFound | ReadFailed>
    /** The invoice of a month that has ended, such as `2026-11`. What it says never changes afterwards. */
    readonly invoice: (
      workspace_id: WorkspaceId,
      month: string
    ) => Effect.Effect<Invoice, InvoiceNotFound | WalletNotFound | NotCommitted | ReadFailed>
    /** All invoices, newest first: at most `limit` of those before the month `before`. */
    readonly invoices: (
      workspace_id: WorkspaceId,
      page: { readonly before: string | undefined; readonly limit: number }
    ) => Effect.Effect<ReadonlyArray<InvoiceSummary>, ReadFailed>
  }
>()("trunkline/actors/Billing") {
  static readonly layer = Layer.suspend(() => Layer.effect(Billing, make))
}

const make = Effect.gen(function* () {
  const directory = yield* Directory
  const issuer = yield* InvoiceIssuer
  const reads = yield* BillingReads
  const references = yield* IncomingPaymentReferences
  const system = yield* ActorSystem
  const wallets = yield* WalletReads

  const partiesOf = Effect.fnUntraced(function* (workspace_id: WorkspaceId) {
    const workspace = yield* directory.workspace(workspace_id)
    const reference = yield* forEverybody(references.of(workspace_id))
    const parties: Parties = { issuer, customer: { workspace_id, name: workspace?.name ?? "" }, reference }
    return parties
  })

  const firstMonth = (workspace_id: WorkspaceId) =>
    Effect.map(reads.firstEntry(workspace_id), (at) => (at === undefined ? undefined : monthOf(at)))

  return Billing.of({
    receipt: traced("Billing.receipt")(function* (workspace_id, topup_id) {
      const paid = (yield* reads.paidTopUp(workspace_id, topup_id)) ?? (yield* new ReceiptNotFound())
      return receiptOf(paid, yield* partiesOf(workspace_id))
    }),

    invoice: traced("Billing.invoice")(function* (workspace_id, month) {
      const first_month = yield* firstMonth(workspace_id)
      if (first_month === undefined || !isInvoiced(month, first_month, yield* Clock.currentTimeMillis))
        return yield* new InvoiceNotFound()
      const wallet = (yield* wallets.balance(workspace_id)) ?? (yield* new WalletNotFound())
      const to = endOf(month)
      // An entry that is being written could still have a time of that month, unless the wallet has gone on since.
      if (Date.parse(wallet.updated_at) < to) yield* system.ask(WalletCommands.CloseMonth, workspace_id, { until: to })
      const ledger = yield* reads.month(workspace_id, beginOf(month), to)
      return invoiceOf(month, { first_month, ledger }, yield* partiesOf(workspace_id), wallet.currency)
    }),

    invoices: traced("Billing.invoices")(function* (workspace_id, page) {
      const first_month = yield* firstMonth(workspace_id)
      if (first_month === undefined) return []
      const reference = yield* forEverybody(references.of(workspace_id))
      return invoicesOf(first_month, reference, yield* Clock.currentTimeMillis, page)
    })
  })
})
