import { Context, type Effect } from "effect"
import type { After } from "../../paging/After.ts"
import type { WorkspaceStatus } from "../../workspace/Workspace.ts"
import type { WorkspaceRecord, WorkspaceView } from "../../workspace/WorkspaceRecord.ts"
import type { ReadFailed } from "../../errors/ReadFailed.ts"
import type { WorkspaceId } from "../../BrandedIds.ts"

export class WorkspaceReads extends Context.Service<
  WorkspaceReads,
  {
    readonly find: (workspace_id: WorkspaceId) => Effect.Effect<WorkspaceView | undefined, ReadFailed>
    /** The workspaces of all tenants, newest first: their sandboxes if `sandbox`, else the live ones. */
    readonly list: (
      filter: { readonly status?: WorkspaceStatus; readonly sandbox: boolean },
      after: After | undefined,
      limit: number
    ) => Effect.Effect<ReadonlyArray<WorkspaceRecord>, ReadFailed>
  }
>()("trunkline/domain/ports/WorkspaceReads") {}
