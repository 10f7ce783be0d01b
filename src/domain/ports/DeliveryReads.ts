// Reads webhook deliveries from the database. Rows of other workspaces are never returned.
import { Context, type Effect } from "effect"
import type { After } from "../paging/After.ts"
import type { DeliveryRecord, DueDelivery } from "../webhooks/DeliveryRecord.ts"
import type { Replayable, ReplayRequest } from "../webhooks/ReplayRecord.ts"
import type { ReadFailed } from "../errors/ReadFailed.ts"
import type { SubscriptionId, WorkspaceId } from "../BrandedIds.ts"

export interface DeliveryFilter {
  readonly status?: string
  readonly event_kind?: string
  /** Created at or after; epoch milliseconds. */
  readonly from?: number
  /** Created before; epoch milliseconds. */
  readonly to?: number
  /** Ids of deliveries that are being attempted. Their status is `in_flight`, whatever their row says. */
  readonly in_flight?: ReadonlyArray<string>
}

export interface ReplayQuery {
  /** Epoch milliseconds; `to` is exclusive. */
  readonly from: number
  readonly to: number
  /** Empty: all kinds. */
  readonly event_kinds: ReadonlyArray<string>
  readonly only: NonNullable<ReplayRequest["only"]>
}

export interface DueQuery {
  readonly workspace_id: WorkspaceId
  readonly subscription_id: SubscriptionId
  readonly now: number
  readonly limit: number
  /** Ids of deliveries that are being attempted: they are neither read nor counted. */
  readonly except: ReadonlyArray<string>
}

/** Read from one snapshot of the database. */
export interface Due {
  /** The revision of the stored subscription: the rows show its writes up to this one. */
  readonly revision: number
  /** Ordered by due time. */
  readonly deliveries: ReadonlyArray<DueDelivery>
  /** More than `limit` are due. */
  readonly more: boolean
  /** When the next delivery becomes due, epoch milliseconds. */
  readonly next_due_at: number | null
}

/** Read from one snapshot of the database. */
export interface Found {
  /** The revision of the stored subscription; 0: nothing was found. */
  readonly revision: number
  readonly deliveries: ReadonlyArray<DeliveryRecord>
}

export class DeliveryReads extends Context.Service<
  DeliveryReads,
  {
    readonly due: (query: DueQuery) => Effect.Effect<Due, ReadFailed>
    /** The delivery with this id, or the deliveries that are blocked for lack of a secret, oldest first. */
    readonly find: (
      workspace_id: WorkspaceId,
      subscription_id: SubscriptionId,
      what: { readonly id: string } | { readonly blocked: true },
      limit: number
    ) => Effect.Effect<Found, ReadFailed>
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
    ) => Effect.Effect<ReadonlyArray<DeliveryRecord>, ReadFailed>
  }
>()("trunkline/domain/ports/DeliveryReads") {}
