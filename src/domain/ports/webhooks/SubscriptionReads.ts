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
    /** How many subscriptions were created by the API. Those of numbers and calls do not count. */
    readonly countCreated: (workspace_id: WorkspaceId) => Effect.Effect<number, ReadFailed>
    /**
     * The subscription of the calls that name this URL as their `events_url`; undefined if there is none. It may be
     * some milliseconds old: see `caughtUp`.
     */
    readonly ofCallUrl: (
      workspace_id: WorkspaceId,
      url: string
    ) => Effect.Effect<SubscriptionId | undefined, ReadFailed>
    /** The subscriptions of calls by their URL, as they are now. */
    readonly callUrls: (workspace_id: WorkspaceId) => Effect.Effect<ReadonlyMap<string, SubscriptionId>, ReadFailed>
    /** Returns once `ofCallUrl` knows what was committed before. */
    readonly caughtUp: Effect.Effect<void>
    /**
     * Ids of active subscriptions, of all workspaces, with a delivery that was due before `before` (epoch
     * milliseconds).
     */
    readonly overdue: (before: number) => Effect.Effect<ReadonlyArray<SubscriptionId>, ReadFailed>
  }
>()("trunkline/domain/ports/SubscriptionReads") {}
