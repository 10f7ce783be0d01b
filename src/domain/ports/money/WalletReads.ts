// Reads a workspace's money from the database.
import { Context, type Effect } from "effect"
import type { After } from "../../paging/After.ts"
import type { HoldRecord } from "../../wallet/HoldRecord.ts"
import type { StatementEntry, StatementFilter } from "../../wallet/StatementEntry.ts"
import type { WalletBalance } from "../../wallet/WalletBalance.ts"
import type { ReadFailed } from "../../errors/ReadFailed.ts"
import type { WorkspaceId } from "../../BrandedIds.ts"

export class WalletReads extends Context.Service<
  WalletReads,
  {
    /** Undefined while the workspace has no wallet. */
    readonly balance: (workspace_id: WorkspaceId) => Effect.Effect<WalletBalance | undefined, ReadFailed>
    /** Newest first. */
    readonly statements: (
      workspace_id: WorkspaceId,
      filter: StatementFilter,
      after: After | undefined,
      limit: number
    ) => Effect.Effect<ReadonlyArray<StatementEntry>, ReadFailed>
    /** The open holds, newest first. */
    readonly holds: (
      workspace_id: WorkspaceId,
      after: After | undefined,
      limit: number
    ) => Effect.Effect<ReadonlyArray<HoldRecord>, ReadFailed>
    /** A ledger entry of the workspace; undefined if there is none with this id. */
    readonly entry: (
      workspace_id: WorkspaceId,
      entry_id: string
    ) => Effect.Effect<StatementEntry | undefined, ReadFailed>
  }
>()("trunkline/domain/ports/WalletReads") {}
