import { Context, type Effect } from "effect"
import type { AuditEntry, AuditFilter, AuditVerdict } from "../../access/AuditEntry.ts"
import type { After } from "../../paging/After.ts"
import type { ReadFailed } from "../../errors/ReadFailed.ts"
import type { WorkspaceId } from "../../BrandedIds.ts"

export class AuditReads extends Context.Service<
  AuditReads,
  {
    /** Newest first. */
    readonly list: (
      workspace_id: WorkspaceId,
      filter: AuditFilter,
      after: After | undefined,
      limit: number
    ) => Effect.Effect<ReadonlyArray<AuditEntry>, ReadFailed>
    /** Recomputes and compares every hash of the workspace's chain. */
    readonly verify: (workspace_id: WorkspaceId) => Effect.Effect<AuditVerdict, ReadFailed>
  }
>()("trunkline/domain/ports/AuditReads") {}
