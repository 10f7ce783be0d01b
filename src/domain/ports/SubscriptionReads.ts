// Questions about webhook subscriptions, answered by the database. A row of another workspace is not there.
import { Context, type Effect } from "effect"
import type { SubscriptionRecord } from "../webhooks/SubscriptionRecord.ts"
import type { ReadFailed } from "../errors/ReadFailed.ts"
import type { WorkspaceId } from "../BrandedIds.ts"

export class SubscriptionReads extends Context.Service<
  SubscriptionReads,
  {
    readonly find: (workspace_id: WorkspaceId, id: string) => Effect.Effect<SubscriptionRecord | undefined, ReadFailed>
    /** Newest first. There are at most twenty of them. */
    readonly list: (workspace_id: WorkspaceId) => Effect.Effect<ReadonlyArray<SubscriptionRecord>, ReadFailed>
    /** Active subscriptions of all workspaces with a delivery that was due before this (epoch milliseconds). */
    readonly overdue: (before: number) => Effect.Effect<ReadonlyArray<string>, ReadFailed>
  }
>()("trunkline/domain/ports/SubscriptionReads") {}
