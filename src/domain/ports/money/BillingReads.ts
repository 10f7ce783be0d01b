// Reads receipts and invoices from the ledger.
import { Context, type Effect } from "effect"
import type { TopUpId, WorkspaceId } from "../../BrandedIds.ts"
import type { ReadFailed } from "../../errors/ReadFailed.ts"
import type { MonthOfLedger } from "../../wallet/Invoice.ts"
import type { PaidTopUp } from "../../wallet/Receipt.ts"

export class BillingReads extends Context.Service<
  BillingReads,
  {
    /** Undefined unless a payment of the top-up was credited. */
    readonly paidTopUp: (
      workspace_id: WorkspaceId,
      topup_id: TopUpId
    ) => Effect.Effect<PaidTopUp | undefined, ReadFailed>
    /** The time of the wallet's first entry, in epoch milliseconds; undefined if it has none. */
    readonly firstEntry: (workspace_id: WorkspaceId) => Effect.Effect<number | undefined, ReadFailed>
    /** The entries from one instant to another, in epoch milliseconds; the second is exclusive. */
    readonly month: (workspace_id: WorkspaceId, from: number, to: number) => Effect.Effect<MonthOfLedger, ReadFailed>
  }
>()("trunkline/domain/ports/BillingReads") {}
