// Reads storage from the database. Rows of other workspaces are never returned.
import { Context, type Effect } from "effect"
import type { Storage } from "../../storage/Storage.ts"
import type { Currency } from "../../wallet/Currency.ts"
import type { ReadFailed } from "../../errors/ReadFailed.ts"
import type { RecordingId, WorkspaceId } from "../../BrandedIds.ts"
import type { RecordingUsage } from "../../storage/StorageRecord.ts"

export class StorageReads extends Context.Service<
  StorageReads,
  {
    /** Undefined: the workspace has always had the free size. */
    readonly storage: (workspace_id: WorkspaceId) => Effect.Effect<Storage | undefined, ReadFailed>
    readonly usage: (workspace_id: WorkspaceId) => Effect.Effect<RecordingUsage, ReadFailed>
    /** The available recordings, oldest first. */
    readonly oldest: (
      workspace_id: WorkspaceId,
      limit: number
    ) => Effect.Effect<ReadonlyArray<{ readonly id: RecordingId; readonly size_bytes: number }>, ReadFailed>
    /** The monthly price by size in MB, for the sizes that have a price in the currency. */
    readonly prices: (currency: Currency) => Effect.Effect<Readonly<Record<string, number>>, ReadFailed>
  }
>()("trunkline/domain/ports/StorageReads") {}
