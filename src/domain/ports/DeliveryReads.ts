// Questions about webhook deliveries, answered by the database. A row of another workspace is not there.
import { Context, type Effect } from "effect"
import type { After } from "../paging/After.ts"
import type { DeliveryRecord, DueDelivery } from "../webhooks/DeliveryRecord.ts"
import type { Replayable, ReplayRequest } from "../webhooks/ReplayRecord.ts"
import type { ReadFailed } from "../errors/ReadFailed.ts"
import type { WorkspaceId } from "../BrandedIds.ts"

export interface DeliveryFilter {
  readonly status?: string
  readonly event_kind?: string
  /** Created at or after; epoch milliseconds. */
  readonly from?: number
  /** Created before; epoch milliseconds. */
  readonly to?: number
  /** Deliveries that are being attempted, whatever is stored of them: their status is `in_flight`. */
  readonly in_flight?: ReadonlyArray<string>
}

export interface ReplayQuery {
  /** Epoch milliseconds; `to` is exclusive. */
  readonly from: number
  readonly to: number
  /** Empty: of all kinds. */
  readonly event_kinds: ReadonlyArray<string>
  readonly only: NonNullable<ReplayRequest["only"]>
}

export interface DueQuery {
  readonly workspace_id: WorkspaceId
  readonly subscription_id: string
  readonly now: number
  readonly limit: number
  /** In flight: neither read again nor counted. */
  readonly except: ReadonlyArray<string>
}

/** All of it is one snapshot of the database. */
export interface Due {
  /** Of the subscription as stored: which of its decisions the rows show. */
  readonly revision: number
  /** The longest due first. */
  readonly deliveries: ReadonlyArray<DueDelivery>
  /** More than `limit` are due. */
  readonly more: boolean
  /** The earliest that is not due yet, epoch milliseconds. */
  readonly next_due_at: number | null
}

/** All of it is one snapshot of the database. */
export interface Found {
  /** Of the subscription as stored; 0 where nothing is found. */
  readonly revision: number
  readonly deliveries: ReadonlyArray<DeliveryRecord>
}

export class DeliveryReads extends Context.Service<
  DeliveryReads,
  {
    readonly due: (query: DueQuery) => Effect.Effect<Due, ReadFailed>
    /** The delivery of this id, or those that lack a secret, the oldest first. */
    readonly find: (
      workspace_id: WorkspaceId,
      subscription_id: string,
      what: { readonly id: string } | { readonly blocked: true },
      limit: number
    ) => Effect.Effect<Found, ReadFailed>
    /** What has ended in this time, the oldest first, as of its deliveries. */
    readonly replayable: (
      workspace_id: WorkspaceId,
      subscription_id: string,
      query: ReplayQuery,
      limit: number
    ) => Effect.Effect<ReadonlyArray<Replayable>, ReadFailed>
    /** Newest first. */
    readonly list: (
      workspace_id: WorkspaceId,
      subscription_id: string,
      filter: DeliveryFilter,
      after: After | undefined,
      limit: number
    ) => Effect.Effect<ReadonlyArray<DeliveryRecord>, ReadFailed>
  }
>()("trunkline/domain/ports/DeliveryReads") {}
