import { Context, type Effect } from "effect"
import type { ApiKeyRecord } from "../../access/ApiKeyRecord.ts"
import type { ReadFailed } from "../../errors/ReadFailed.ts"
import type { ApiKeyId, WorkspaceId } from "../../BrandedIds.ts"

export class ApiKeyReads extends Context.Service<
  ApiKeyReads,
  {
    /** Undefined: the workspace has no such key. */
    readonly find: (workspace_id: WorkspaceId, id: ApiKeyId) => Effect.Effect<ApiKeyRecord | undefined, ReadFailed>
    /** How many keys are neither revoked nor expired at `now`, epoch milliseconds. */
    readonly countActive: (workspace_id: WorkspaceId, now: number) => Effect.Effect<number, ReadFailed>
    /** All keys, including revoked and expired ones, newest first. */
    readonly list: (
      workspace_id: WorkspaceId,
      after: { readonly at: number; readonly id: string } | undefined,
      limit: number
    ) => Effect.Effect<ReadonlyArray<ApiKeyRecord>, ReadFailed>
  }
>()("trunkline/domain/ports/ApiKeyReads") {}
