// Questions about storage, answered by the database. A row of another workspace is not there.
import { Context, type Effect } from "effect"
import type { Storage } from "../storage/Storage.ts"
import type { Currency } from "../wallet/Currency.ts"
import type { ReadFailed } from "../errors/ReadFailed.ts"
import type { WorkspaceId } from "../BrandedIds.ts"

/** What the recordings of a workspace take up that are there: not those that are made, nor those that are gone. */
export interface RecordingUsage {
  readonly used_bytes: number
  readonly recordings: number
}

export class StorageReads extends Context.Service<
  StorageReads,
  {
    /** Undefined: it has the free size, and never had another. */
    readonly storage: (workspace_id: WorkspaceId) => Effect.Effect<Storage | undefined, ReadFailed>
    readonly usage: (workspace_id: WorkspaceId) => Effect.Effect<RecordingUsage, ReadFailed>
    /** The recordings that are there, the oldest first. */
    readonly oldest: (
      workspace_id: WorkspaceId,
      limit: number
    ) => Effect.Effect<ReadonlyArray<{ readonly id: string; readonly size_bytes: number }>, ReadFailed>
    /** A month of each size, in MB, that has a price in the currency. */
    readonly prices: (currency: Currency) => Effect.Effect<Readonly<Record<string, number>>, ReadFailed>
  }
>()("trunkline/domain/ports/StorageReads") {}
