// Questions that go straight to SQL. Every one of them carries the workspace; a row of another is not there.
import { Context, type Effect } from "effect"
import type { CallRecord } from "../calls/CallRecord.ts"

/** The database did not answer. */
export interface ReadFailed { readonly _tag: "ReadFailed"; readonly cause: unknown }

/** Where a page begins: after the row with this sort key (epoch milliseconds) and id, newest first. */
export interface After { readonly at: number; readonly id: string }

export interface CallFilter {
  readonly status?: string
  readonly direction?: string
  readonly from?: string
  readonly to?: string
  readonly number_id?: string
  readonly client_reference?: string
  readonly created_after?: number
  readonly created_before?: number
}

export interface CallEventRecord {
  readonly id: string
  readonly kind: string
  readonly sequence: number
  readonly occurred_at: string
  readonly late: boolean
  readonly payload: unknown
}

export class CallReads extends Context.Service<CallReads, {
  /** By call id or `HD_` session id. */
  readonly find: (workspace_id: string, ref: string) => Effect.Effect<CallRecord | undefined, ReadFailed>
  readonly list: (workspace_id: string, filter: CallFilter, after: After | undefined, limit: number) => Effect.Effect<ReadonlyArray<CallRecord>, ReadFailed>
  /** Oldest first, after the given sequence. */
  readonly events: (workspace_id: string, call_id: string, after_sequence: number, limit: number) => Effect.Effect<ReadonlyArray<CallEventRecord>, ReadFailed>
}>()("trunkline/domain/ports/CallReads") {}
