// Reads webhook subscriptions from the database. Rows of other workspaces are never returned.
import { Context, type Effect } from "effect"
import type { SubscriptionRecord } from "../../webhooks/SubscriptionRecord.ts"
import type { ReadFailed } from "../../errors/ReadFailed.ts"
import type { SubscriptionId, WorkspaceId } from "../../BrandedIds.ts"

export class SubscriptionReads extends Context.Service<
  SubscriptionReads,
  {
    readonly find: (
      workspace_id: WorkspaceId,
      id: SubscriptionId
    ) => Effect.Effect<SubscriptionRecord | undefined, ReadFailed>
    /** All subscriptions, newest first. */
    readonly list: (workspace_id: WorkspaceId) => Effect.Effect<ReadonlyArray<SubscriptionRecord>, ReadFailed>
    /**
     * Ids of active subscriptions, of all workspaces, with a delivery that was due before `before` (epoch
     * milliseconds).
     */
    readonly overdue: (before: number) => Effect.Effect<ReadonlyArray<SubscriptionId>, ReadFailed>
  }
>()("trunkline/domain/ports/SubscriptionReads") {}
