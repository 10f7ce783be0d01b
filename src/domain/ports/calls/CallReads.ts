// Reads calls from the database. Rows of other workspaces are never returned.
import { Context, type Effect } from "effect"
import type { CallEventRecord, LoggedWhat } from "../../calls/views/CallEventRecord.ts"
import type { CallRecord } from "../../calls/state/CallRecord.ts"
import type { After } from "../../paging/After.ts"
import type { ReadFailed } from "../../errors/ReadFailed.ts"
import type { CallId, CallRef, WorkspaceId } from "../../BrandedIds.ts"
import type { CallFilter } from "../../calls/views/CallFilter.ts"

export class CallReads extends Context.Service<
  CallReads,
  {
    /** By call id or `HD_` session id. */
    readonly find: (workspace_id: WorkspaceId, ref: CallRef) => Effect.Effect<CallRecord | undefined, ReadFailed>
    /** Newest first. */
    readonly list: (
      workspace_id: WorkspaceId,
      filter: CallFilter,
      after: After | undefined,
      limit: number
    ) => Effect.Effect<ReadonlyArray<CallRecord>, ReadFailed>
    /** Events after the given sequence, oldest first. Transcript turns are included only on request. */
    readonly events: (
      workspace_id: WorkspaceId,
      call_id: CallId,
      after_sequence: number,
      limit: number,
      what?: LoggedWhat
    ) => Effect.Effect<ReadonlyArray<CallEventRecord>, ReadFailed>
    /** The newest events with a lower sequence than `before_sequence`, if it is given, oldest first. */
    readonly latestEvents: (
      workspace_id: WorkspaceId,
      call_id: CallId,
      limit: number,
      what: LoggedWhat,
      before_sequence?: number
    ) => Effect.Effect<ReadonlyArray<CallEventRecord>, ReadFailed>
  }
>()("trunkline/domain/ports/CallReads") {}
