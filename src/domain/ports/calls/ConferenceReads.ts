// Reads conferences from the database. Rows of other workspaces are never returned.
import { Context, type Effect } from "effect"
import type { ConferenceId, WorkspaceId } from "../../BrandedIds.ts"
import type { ConferenceFilter, ConferenceRecord } from "../../conferences/ConferenceRecord.ts"
import type { ReadFailed } from "../../errors/ReadFailed.ts"
import type { After } from "../../paging/After.ts"

export class ConferenceReads extends Context.Service<
  ConferenceReads,
  {
    readonly find: (
      workspace_id: WorkspaceId,
      id: ConferenceId
    ) => Effect.Effect<ConferenceRecord | undefined, ReadFailed>
    /** Newest first. */
    readonly list: (
      workspace_id: WorkspaceId,
      filter: ConferenceFilter,
      after: After | undefined,
      limit: number
    ) => Effect.Effect<ReadonlyArray<ConferenceRecord>, ReadFailed>
  }
>()("trunkline/domain/ports/ConferenceReads") {}
