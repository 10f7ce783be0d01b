// Reads webhook deliveries from the database. Rows of other workspaces are never returned.
import { Context, type Effect } from "effect"
import type { After } from "../../paging/After.ts"
import type {
  DeliveredEvent,
  DeliveryFilter,
  DueDeliveries,
  DueQuery,
  FoundDeliveries,
  ListedDelivery
} from "../../webhooks/DeliveryRecord.ts"
import type { Replayable, ReplayQuery } from "../../webhooks/ReplayRecord.ts"
import type { ReadFailed } from "../../errors/ReadFailed.ts"
import type { SubscriptionId, WorkspaceId } from "../../BrandedIds.ts"

export class DeliveryReads extends Context.Service<
  DeliveryReads,
  {
    readonly due: (query: DueQuery) => Effect.Effect<DueDeliveries, ReadFailed>
    /** The delivery with this id, or the deliveries that are blocked for lack of a secret, oldest first. */
    readonly find: (
      workspace_id: WorkspaceId,
      subscription_id: SubscriptionId,
      what: { readonly id: string } | { readonly blocked: true },
      limit: number
    ) => Effect.Effect<FoundDeliveries, ReadFailed>
    /** The event of a delivery; undefined if there is none. */
    readonly event: (
      workspace_id: WorkspaceId,
      subscription_id: SubscriptionId,
      id: string
    ) => Effect.Effect<DeliveredEvent | undefined, ReadFailed>
    /** Deliveries that were made in the period and have ended, oldest first. */
    readonly replayable: (
      workspace_id: WorkspaceId,
      subscription_id: SubscriptionId,
      query: ReplayQuery,
      limit: number
    ) => Effect.Effect<ReadonlyArray<Replayable>, ReadFailed>
    /** Newest first. */
    readonly list: (
      workspace_id: WorkspaceId,
      subscription_id: SubscriptionId,
      filter: DeliveryFilter,
      after: After | undefined,
      limit: number
    ) => Effect.Effect<ReadonlyArray<ListedDelivery>, ReadFailed>
  }
>()("trunkline/domain/ports/DeliveryReads") {}
