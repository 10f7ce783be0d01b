// Reads recordings from the database. Rows of other workspaces are never returned.
import { Context, type Effect } from "effect"
import type { After } from "../../paging/After.ts"
import type { RecordingFilter, RecordingRecord } from "../../recordings/RecordingRecord.ts"
import type { ReadFailed } from "../../errors/ReadFailed.ts"
import type { CallId, RecordingId, WorkspaceId } from "../../BrandedIds.ts"

export class RecordingReads extends Context.Service<
  RecordingReads,
  {
    readonly find: (
      workspace_id: WorkspaceId,
      id: RecordingId
    ) => Effect.Effect<RecordingRecord | undefined, ReadFailed>
    /** The recording of the call: the newest available one, or else the newest. */
    readonly ofCall: (
      workspace_id: WorkspaceId,
      call_id: CallId
    ) => Effect.Effect<RecordingRecord | undefined, ReadFailed>
    /** Newest first. */
    readonly list: (
      workspace_id: WorkspaceId,
      filter: RecordingFilter,
      after: After | undefined,
      limit: number
    ) => Effect.Effect<ReadonlyArray<RecordingRecord>, ReadFailed>
  }
>()("trunkline/domain/ports/RecordingReads") {}
