// Reads top-ups and payments from the database.
import { Context, type Effect } from "effect"
import type { After } from "../../paging/After.ts"
import type { SuspendedPayment } from "../../topups/OperatorRequests.ts"
import type { TopUpFilter, TopUpRecord, TopUpStatus } from "../../topups/TopUpRecord.ts"
import type { ReadFailed } from "../../errors/ReadFailed.ts"
import type { TopUpId, WorkspaceId } from "../../BrandedIds.ts"

export class TopUpReads extends Context.Service<
  TopUpReads,
  {
    readonly find: (workspace_id: WorkspaceId, topup_id: TopUpId) => Effect.Effect<TopUpRecord | undefined, ReadFailed>
    /** A top-up of any workspace. */
    readonly status: (topup_id: TopUpId) => Effect.Effect<TopUpStatus | undefined, ReadFailed>
    /** Newest first. */
    readonly list: (
      workspace_id: WorkspaceId,
      filter: TopUpFilter,
      after: After | undefined,
      limit: number
    ) => Effect.Effect<ReadonlyArray<TopUpRecord>, ReadFailed>
    /** The top-up that a payment of mobile money with this receipt has become. */
    readonly ofReceipt: (
      workspace_id: WorkspaceId,
      receipt: string
    ) => Effect.Effect<TopUpRecord | undefined, ReadFailed>
    /** Unpaid prompts of this amount that were started between the two instants, oldest first. */
    readonly unpaid: (
      workspace_id: WorkspaceId,
      amount_minor: number,
      from: number,
      to: number
    ) => Effect.Effect<ReadonlyArray<{ readonly topup_id: TopUpId; readonly status: TopUpStatus }>, ReadFailed>
    /** Payments in suspense, newest first; those of the same instant in the order of their receipts. */
    readonly suspended: (
      after: After | undefined,
      limit: number
    ) => Effect.Effect<ReadonlyArray<SuspendedPayment>, ReadFailed>
    /** The receipts that were never announced, of the given ones. */
    readonly unknownReceipts: (receipts: ReadonlyArray<string>) => Effect.Effect<ReadonlySet<string>, ReadFailed>
  }
>()("trunkline/domain/ports/TopUpReads") {}
